"""Words that addresses are made of, with what each may be."""

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

TableName = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]
CompetitionName = Annotated[str, PathParameter(max_length=50, pattern=r"^[A-Za-z0-9_.-]+$")]
"""The id of a competition: the name of its stream without what all have in front."""
RowNumber = Annotated[int, PathParameter(ge=1, le=2**53)]
"""The number of a row in its stream."""
Proven = Annotated[bool, QueryParameter(description="With the way from the row to a root")]
Short = Annotated[str, PathParameter(max_length=64)]
"""Any other word."""
PersonId = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.@+-]+$")]
