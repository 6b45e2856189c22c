# Refusals of the pit: cases.
refusal-unknown-case = There is no such case.
refusal-too-many-cases = Too many cases are open. Please ask an attendant.
refusal-too-many-steps = The case has no room for more.
refusal-not-in-book = There is no such step in a case like this.
refusal-wrong-case-state = The case does not stand so that this can be done.
refusal-time-invalid = That time cannot be.
refusal-unknown-basis = The rule book does not list that basis.
refusal-basis-needed = A decision rests on at least one of the listed bases.
refusal-clock-running = The player still has time to ask for an investigation.
