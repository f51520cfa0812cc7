"""Between the socket and the application: whose address a request has, and slow senders."""
