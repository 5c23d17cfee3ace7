"""What an ONNX file asks for, read from its bytes before they are handed to a runtime.

onnxruntime opens the files that a model names (`external_data`), even beside a model given as bytes, and some operators name
files too. So only what a policy needs is let through: one graph of standard operators, all weights inside, no chance.
The walk follows the protobuf wire format and descends into the messages listed below; nothing is executed.
"""

from collections.abc import Iterator

from ..envs.engine.errors import LomberError

# Field numbers of onnx.proto, which never change.
GRAPH, FUNCTIONS, TRAINING = 7, 25, 20  # of ModelProto
NODE, INITIALIZER, SPARSE_INITIALIZER = 1, 5, 15  # of GraphProto
OPERATOR, ATTRIBUTE, DOMAIN = 4, 5, 7  # of NodeProto
TENSORS, SPARSE_TENSORS, SUBGRAPHS = (5, 10), (22, 23), (6, 11)  # of AttributeProto
EXTERNAL_DATA, DATA_LOCATION = 13, 14  # of TensorProto
VALUES, INDICES = 1, 2  # of SparseTensorProto
DRAWING = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types


def check_onnx(data: bytes, name: str) -> None:
    """LomberError, beginning with `name`, where these bytes are no ONNX model or ask for what a policy must not have."""
    graphs = 0
    for field, value in _fields(memoryview(data), name):
        if field in (FUNCTIONS, TRAINING):
            raise LomberError(f"{name} has functions or training steps of its own: a policy is one plain graph")
        if field == GRAPH:
            graphs += 1
            _check_graph(_message(value, name), name)
    if graphs != 1:
        raise LomberError(f"{name} is no ONNX model: it holds {graphs or 'no'} graph{'s' if graphs > 1 else ''}")


def _check_graph(data: memoryview, name: str) -> None:
    for field, value in _fields(data, name):
        if field == NODE:
            _check_node(_message(value, name), name)
        elif field == INITIALIZER:
            _check_tensor(_message(value, name), name)
        elif field == SPARSE_INITIALIZER:
            _check_sparse(_message(value, name), name)


def _check_node(data: memoryview, name: str) -> None:
    for field, value in _fields(data, name):
        if field == DOMAIN and value not in (b"", b"ai.onnx"):
            raise LomberError(f"{name} uses an operator of domain {_text(value)!r}: only standard ONNX operators are run")
        if field == OPERATOR and _text(value) in DRAWING:
            raise LomberError(
                f"{name} draws chance of its own ({_text(value)}): an agent's chance comes from its decisions' keys"
            )
        if field == ATTRIBUTE:
            _check_attribute(_message(value, name), name)


def _check_attribute(data: memoryview, name: str) -> None:
    for field, value in _fields(data, name):
        if field in SUBGRAPHS:
            raise LomberError(f"{name} has branches or loops (a graph inside an operator): a policy is one plain graph")
        if field in TENSORS:
            _check_tensor(_message(value, name), name)
        elif field in SPARSE_TENSORS:
            _check_sparse(_message(value, name), name)


def _check_sparse(data: memoryview, name: str) -> None:
    for field, value in _fields(data, name):
        if field in (VALUES, INDICES):
            _check_tensor(_message(value, name), name)


def _check_tensor(data: memoryview, name: str) -> None:
    for field, value in _fields(data, name):
        if field == EXTERNAL_DATA or (field == DATA_LOCATION and value != 0):
            raise LomberError(f"{name} keeps weights in another file (external data): only the two files of a policy are read")


def _message(value: memoryview | int, name: str) -> memoryview:
    if isinstance(value, int):
        raise _broken(name)
    return value


def _text(value: memoryview | int) -> str:
    return bytes(value).decode("utf-8", "replace") if isinstance(value, memoryview) else str(value)


def _broken(name: str) -> LomberError:
    return LomberError(f"{name} is no ONNX model, or it is cut short")


def _fields(data: memoryview, name: str) -> Iterator[tuple[int, memoryview | int]]:
    """The fields of one message in order: (number, memory of a length-delimited field or the integer)."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at, name)
        field, wire = tag >> 3, tag & 7
        if not 0 < field < 1 << 29:
            raise _broken(name)
        if wire == _VARINT:
            number, at = _varint(data, at, name)
            yield field, number
            continue
        if wire == _BYTES:
            size, at = _varint(data, at, name)
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
        else:
            raise _broken(name)
        if at + size > len(data):
            raise _broken(name)
        yield field, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int, name: str) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise _broken(name)
