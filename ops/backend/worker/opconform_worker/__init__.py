"""Libraries of Python behind the protocol of ops/backend/worker.h."""
