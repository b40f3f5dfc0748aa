"""See where every chunk of a virtual Zarr dataset comes from: in a browser (`refscope open`) and in a notebook (`show`)."""

from importlib.metadata import PackageNotFoundError, version

from .notebook import Shown, show
from .writing import write

try:
    __version__ = version(__name__)
except PackageNotFoundError:  # From a checkout.
    __version__ = "0"

__all__ = ["Shown", "__version__", "show", "write"]
