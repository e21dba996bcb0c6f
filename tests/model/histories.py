"""histories.py MODEL --seed N --count N [--kind issue]: random histories of the merge's model, or --scenarios, with the state after each step, for pawl_model."""
import argparse
import sys

ask = argparse.ArgumentParser()
ask.add_argument('model')
ask.add_argument('--seed', type=int, default=1)
ask.add_argument('--count', type=int, default=100)
ask.add_argument('--kind', default='')
options = ask.parse_args()
sys.path.insert(0, options.model)
sys.dont_write_bytecode = True
import histories as h  # noqa: E402

m = h.World.__init__.__globals__['m']


def choose_base(known, theirs):
    """As the page has it: exactly an older image is an old copy if a command wrote the file since."""
    for at in range(len(known) - 2, max(-1, len(known) - m.MAX_IMAGES - 1), -1):
        if m.cells(known[at].content) == m.cells(theirs) and known[at].content.order() == theirs.order():
            if m.differing(m.cells(known[-1].content), m.cells(theirs)):
                return known[at].content if any(i.command for i in known[at + 1:]) else known[-1].content
    return model_choose_base(known, theirs)


model_choose_base, m.choose_base = m.choose_base, choose_base


class Steps(h.History):
    def __init__(self, seed):
        self.lines = []
        super().__init__(seed)

    def do(self, *steps):
        out = {}
        for step in steps:
            out = super().do(step)
            self.lines.append(h.dump({'step': step, 'state': out}))
        return out


done, seed = 0, options.seed
while done < options.count:
    kind = h.random.Random(seed).choice(['story', 'story', 'story', 'loop', 'issue', 'review'])
    if not options.kind or kind == options.kind:
        history = Steps(seed)
        history.run()
        print(h.dump(history.head | {'seed': seed}))
        print('\n'.join(history.lines))
        done += 1
    seed += 1
