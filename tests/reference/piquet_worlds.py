def worlds(*a): raise NotImplementedError
def count_upper(*a): raise NotImplementedError
