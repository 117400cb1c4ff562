"""stretto: how much of the communication can run under the computation here, and what would that gain?"""
