"""The exceptions of the public surface that the runtime itself raises."""


class AbsError(Exception):
    """The base of every error this package raises for a user's mistake."""


class BindError(AbsError):
    """A binding is missing, unknown, or of the wrong type for its place."""


class TraceError(AbsError):
    """Events that cannot be read as a trace."""


class ArtifactError(AbsError):
    """A compiled artifact that is not ours, of another format version, or corrupt."""


class NotAnArtifactError(ArtifactError):
    """Bytes that are no compiled artifact at all."""


class ArtifactFormatError(ArtifactError):
    """An artifact of another version of the format."""


class CorruptArtifactError(ArtifactError):
    """An artifact that was damaged, or that holds what no artifact may hold."""
