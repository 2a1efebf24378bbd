"""Replies by the id of their question, so that one that is asked again is answered and not done again.

Code of the task may end the process that passes questions on, between a question and its reply.
"""
import threading
import time

from ..settings import MAX_CONSOLE_REPLY_BYTES, MAX_KNOWN_QUESTIONS


class Question:
    def __init__(self):
        self.done, self.reply = threading.Event(), None


class Questions:
    def __init__(self):
        self.began, self.lock, self.known = time.monotonic(), threading.Lock(), {}

    def answer(self, id, again, work):
        """Reply to the question, by `work` unless it is known. None for one that nobody can tell how far it came.

        `again` is the time in seconds since it was first asked: a host that is younger cannot know it.
        """
        if id is None:
            return work()
        with self.lock:
            known = self.known.get(id)
            if known is None:
                if again is not None and time.monotonic() - self.began < again:
                    return None
                own = self.known[id] = Question()
        if known:
            known.done.wait()
            return known.reply
        try:
            reply = own.reply = work()
        finally:
            own.done.set()
        self.forget()
        return reply

    def forget(self):
        """Keeps the ids of the last questions that have ended, and their last replies; one under way would be done again."""
        with self.lock:
            ended = [id for id, question in self.known.items() if question.done.is_set()]
            for id in ended[:-MAX_KNOWN_QUESTIONS]:
                del self.known[id]
            size = 0
            for question in reversed(list(self.known.values())):
                size += len(question.reply or b'')
                if size > MAX_CONSOLE_REPLY_BYTES:
                    question.reply = None
