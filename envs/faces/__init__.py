"""Tables as other libraries know environments: PettingZoo, Gymnasium, Gymnasium vector. Written once, for all games."""
