"""Answers of the API as TypedDicts. Made of the API document by making/make_types.py; do not edit."""

from typing import Any, Dict, List, Literal, TypedDict, Union


CallState = Literal["running", "pending", "done", "failed", "refused", "lost"]


class _Receipt(TypedDict):
    executed_on: Literal["edge", "vm-warm", "vm-cold"]
    queued_ms: float
    boot_ms: float
    sync_ms: float
    exec_ms: float


class Receipt(_Receipt, total=False):
    """Where the call ran, what it took, and what it cost."""

    cost: int
    calls_cost: int


class CallProgress(TypedDict):
    """CallProgress of the API document."""

    lines: List[str]
    count: int


class CallResultContentItem(TypedDict):
    """CallResultContentItem of the API document."""

    type: Literal["image"]
    mimeType: str
    data: str


class CallResult(TypedDict, total=False):
    """The whole result, where it is kept."""

    text: str
    data: Dict[str, Any]
    content: List[CallResultContentItem]


class ResultView(TypedDict):
    """ResultView of the API document."""

    view: str
    tokens: int
    whole_tokens: int
    handle: Union[str, None]


class _CallError(TypedDict):
    message: str


class CallError(_CallError, total=False):
    """Why a call failed, for a model to read."""

    code: str
    data: Dict[str, Any]


class CallFile(TypedDict):
    """CallFile of the API document."""

    path: str
    change: Literal["created", "modified", "deleted"]
    size: Union[int, None]
    url: Union[str, None]


class _Call(TypedDict):
    call_id: str
    tool: str
    state: CallState
    arguments: str
    answer: str
    started_at: str
    ended_at: Union[str, None]
    receipt: Union[Receipt, None]
    running: bool
    progress: CallProgress


class Call(_Call, total=False):
    """Call of the API document."""

    parent_call_id: str
    agent: str
    exit_code: int
    result: CallResult
    view: ResultView
    error: CallError
    files: List[CallFile]
    more_files: int
    files_shared: Literal[True]


class CallAnswerContentItem(TypedDict):
    """CallAnswerContentItem of the API document."""

    type: Literal["image"]
    mimeType: str
    data: str


class CallAnswerNext(TypedDict):
    """The call that waits on for the result of pending work."""

    tool: str
    args: Any


class _CallAnswer(TypedDict):
    call_id: Union[str, None]
    tool: str
    state: CallState


class CallAnswer(_CallAnswer, total=False):
    """CallAnswer of the API document."""

    text: str
    data: Dict[str, Any]
    content: List[CallAnswerContentItem]
    view: ResultView
    error: CallError
    next: CallAnswerNext
    retry_after_ms: float
    files: List[CallFile]
    more_files: int
    files_shared: Literal[True]
    receipt: Receipt


class _Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal["invalid_input", "unauthenticated", "forbidden", "not_found", "session_not_found", "conflict", "limit_exceeded", "rate_limited", "insufficient_storage", "timeout", "unavailable", "key_reused", "key_in_use", "outcome_unknown", "answer_not_kept", "upstream", "internal", "method_not_allowed", "precondition_failed", "range_not_satisfiable", "gone"]
    retryable: bool
    hint: str
    request_id: str


class Problem(_Problem, total=False):
    """A problem by RFC 9457."""

    errors: Any
    outcome: Literal["unknown", "done"]
    call_id: str
    tool: str
    request: str
    began_at: str
    ended_at: str


class _CallBatchAnswerDataItem(TypedDict):
    status: int


class CallBatchAnswerDataItem(_CallBatchAnswerDataItem, total=False):
    """CallBatchAnswerDataItem of the API document."""

    id: str
    call: CallAnswer
    problem: Problem
    cut_chars: int


class CallBatchAnswer(TypedDict):
    """CallBatchAnswer of the API document."""

    data: List[CallBatchAnswerDataItem]


class _ListedCall(TypedDict):
    call_id: str
    tool: str
    state: CallState
    arguments: str
    answer: str
    started_at: str
    ended_at: Union[str, None]
    receipt: Union[Receipt, None]


class ListedCall(_ListedCall, total=False):
    """ListedCall of the API document."""

    parent_call_id: str
    agent: str
    exit_code: int


class CallPage(TypedDict):
    """CallPage of the API document."""

    data: List[ListedCall]
    next_cursor: Union[str, None]


class CallableTool(TypedDict):
    """CallableTool of the API document."""

    name: str
    kind: Literal["server", "registered"]
    title: Union[str, None]
    toolkit: Union[str, None]
    description: str
    effect: Union[Literal["read", "write", "run", "fetch"], None]
    input_schema: Dict[str, Any]


class CallableToolPage(TypedDict):
    """CallableToolPage of the API document."""

    data: List[CallableTool]
    next_cursor: Union[str, None]


class CommitRestored(TypedDict):
    """CommitRestored of the API document."""

    commit: int
    path: str


class PathChange(TypedDict):
    """PathChange of the API document."""

    path: str
    change: Literal["created", "modified", "deleted"]
    kind: Literal["file", "directory", "link"]
    size: Union[int, None]


class Commit(TypedDict):
    """Commit of the API document."""

    commit: int
    author: str
    tool: Union[str, None]
    committed_at: str
    changed: int
    restored: Union[CommitRestored, None]
    changes: List[PathChange]
    more_changes: int


class CommitPage(TypedDict):
    """CommitPage of the API document."""

    data: List[Commit]
    next_cursor: Union[str, None]


class CommitChangesRestored(TypedDict):
    """CommitChangesRestored of the API document."""

    commit: int
    path: str


class CommitChanges(TypedDict):
    """CommitChanges of the API document."""

    data: List[PathChange]
    next_cursor: Union[str, None]
    commit: int
    author: str
    tool: Union[str, None]
    committed_at: str
    changed: int
    restored: Union[CommitChangesRestored, None]


class DiffSide(TypedDict):
    """DiffSide of the API document."""

    kind: Literal["file", "directory", "link"]
    mode: str
    size: Union[int, None]
    etag: Union[str, None]
    target: Union[str, None]


class DiffHunk(TypedDict):
    """DiffHunk of the API document."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: List[str]


class Difference(TypedDict):
    """Difference of the API document."""

    path: str
    change: Literal["created", "modified", "deleted"]
    before: Union[DiffSide, None]
    after: Union[DiffSide, None]
    hunks: List[DiffHunk]
    omitted: Union[Literal["not text", "too large"], None]


class Differences(TypedDict):
    """Differences of the API document."""

    data: List[Difference]
    next_cursor: Union[str, None]
    to: int


class FileEntry(TypedDict):
    """FileEntry of the API document."""

    path: str
    type: Literal["file", "directory", "link"]
    size: Union[int, None]
    etag: Union[str, None]
    modified_at: str


class FilePage(TypedDict):
    """FilePage of the API document."""

    data: List[FileEntry]
    next_cursor: Union[str, None]
    commit: int


FileToolAnswer = Dict[str, Any]


class NewFileLink(TypedDict):
    """NewFileLink of the API document."""

    id: str
    path: str
    method: Literal["download", "upload"]
    max_bytes: Union[int, None]
    created_at: str
    expires_at: str
    url: str


class RestoredFiles(TypedDict):
    """RestoredFiles of the API document."""

    restored: bool
    commit: int
    from_commit: int
    path: str
    dry_run: bool
    changed: int
    changes: List[PathChange]
    more_changes: int
    notes: List[str]


SessionState = Literal["ready", "running", "paused"]


class SessionForkedFrom(TypedDict):
    """SessionForkedFrom of the API document."""

    session: str
    commit: int


class SessionFiles(TypedDict):
    """SessionFiles of the API document."""

    entries: int
    directories: Union[int, None]
    bytes: int


class _SessionEnvironment(TypedDict):
    directories: str


class SessionEnvironment(_SessionEnvironment, total=False):
    """SessionEnvironment of the API document."""

    python: str
    packages: str
    programs: str
    memory_mb: int
    network: str


class Session(TypedDict):
    """Session of the API document."""

    name: str
    title: str
    state: SessionState
    state_since: Union[str, None]
    labels: Dict[str, str]
    internet: Union[bool, List[str]]
    lifetime_seconds: Union[float, None]
    idle_lifetime_seconds: Union[float, None]
    created_at: str
    last_used_at: str
    expires_at: Union[str, None]
    on_expiry: Union[Literal["delete"], None]
    forked_from: Union[SessionForkedFrom, None]
    requirements: List[str]
    files: SessionFiles
    running_calls: List[str]
    environment: Union[SessionEnvironment, None]


class ListedSession(TypedDict):
    """ListedSession of the API document."""

    name: str
    title: str
    state: SessionState
    state_since: Union[str, None]
    labels: Dict[str, str]
    internet: Union[bool, List[str]]
    lifetime_seconds: Union[float, None]
    idle_lifetime_seconds: Union[float, None]
    created_at: str
    last_used_at: str
    expires_at: Union[str, None]
    on_expiry: Union[Literal["delete"], None]


class SessionPage(TypedDict):
    """SessionPage of the API document."""

    data: List[ListedSession]
    next_cursor: Union[str, None]


class Snapshot(TypedDict):
    """Snapshot of the API document."""

    name: str
    commit: int
    author: str
    created_at: str


class SnapshotPage(TypedDict):
    """SnapshotPage of the API document."""

    data: List[Snapshot]
    next_cursor: Union[str, None]


class ToolDescriptionCall(TypedDict):
    """How it is called, with an example of the required arguments."""

    method: str
    path: str
    body: Dict[str, Any]
    curl: str


class ToolDescription(TypedDict):
    """ToolDescription of the API document."""

    name: str
    kind: Literal["server", "registered"]
    title: Union[str, None]
    toolkit: Union[str, None]
    description: str
    effect: Union[Literal["read", "write", "run", "fetch"], None]
    input_schema: Dict[str, Any]
    output_schema: Union[Dict[str, Any], None]
    exported_name: str
    synonyms: Dict[str, List[str]]
    call: ToolDescriptionCall


class UnpackedArchive(TypedDict):
    """UnpackedArchive of the API document."""

    path: str
    files: int
    bytes: int
    commit: int


class WrittenFile(TypedDict):
    """WrittenFile of the API document."""

    path: str
    type: Literal["file", "directory", "link"]
    size: Union[int, None]
    etag: Union[str, None]
    modified_at: str
    created: bool
    commit: int
