"""What `import uotbench` offers to programs; the modules of the worker `python` are not listed."""
from pathlib import Path

from uotbench.calling import NoSolution as NoSolution
from uotbench.calling import Solver as Solver
from uotbench.calling import call as call
from uotbench.calling import describe as describe
from uotbench.calling import use as use
from uotbench.transport import barycenter as barycenter
from uotbench.transport import emd as emd
from uotbench.transport import emd2 as emd2
from uotbench.transport import sinkhorn as sinkhorn
from uotbench.transport import sinkhorn2 as sinkhorn2
from uotbench.transport import sinkhorn_unbalanced as sinkhorn_unbalanced

ROOT: Path
