"""A house under load while its plugs are pulled, one after another: `make soak`.

Bots play, people give commands over the web and others watch, while servers are killed, the
database is started anew, the disk fills, clocks jump and clients read slowly, all from a seed.
"""
