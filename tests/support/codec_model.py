"""Answers JSON lines with what the model's codec makes of each: python3 codec_model.py FOLDER_OF_THE_MODEL < cases."""
import json
import sys
sys.path.insert(0, sys.argv[1])
import formats as f
import merge as m

model_record_keys, model_owner_of = f.record_keys, f.owner_of
case = {}

def meant(element):
    default = f.LIFECYCLES[case['life']].default
    return {**element, m.STATUS: default if element.get(m.STATUS) is None else element[m.STATUS]}

def nearest(elements, places, record):
    """By what a missing status means; the model compares the spelling. Of equally near elements both take the first."""
    if record is None or len(places) == 1:
        return places[0]
    return min(places, key=lambda at: len(m.differing(meant(elements[at]), record.shown().value())))

def record_keys(elements, known):
    """The element that was the record when the text was read is patched; the model asks what the record is now."""
    return model_record_keys(elements, case['known'])

def owner_of(life, members):
    """Nobody has no name."""
    owner = model_owner_of(life, members)
    return owner if owner.strip('|') else ''

f.nearest, f.record_keys, f.owner_of = nearest, record_keys, owner_of

def record(entry):
    return m.Record(case['path'], '', entry['key'], entry['status'], entry['members'])

def records(entries):
    return {entry['key']: record(entry) for entry in entries}

def content(life, text):
    shown = f.parse(life, case['path'], text, case['known'])
    entries = [{'key': e.key or case['path'], 'status': e.status, 'members': e.members} for e in shown.entries.values()]
    return {'owner': shown.owner, 'entries': entries, 'file': shown.file, 'unread': len(shown.unread)}

def patched(life):
    live = records(case['wanted'])
    kept = [m.Conflict(case['path'], '', key, member, None, None, '') for key, member in case['left']]
    if not life.is_list and any(c.member == m.PRESENCE for c in kept):
        return case['text']
    spelling = {}
    for text in reversed(case['earlier']):
        spelling |= {key: e.raw for key, e in f.parse(life, case['path'], text, case['known']).entries.items()}
    return f.patch(life, case['text'], live, case['file'], list(live), kept, spelling)

for line in sys.stdin:
    case = json.loads(line)
    case['known'] = records(case['known'])
    life = f.LIFECYCLES[case['life']]
    print(json.dumps({'shown': content(life, case['text']), 'patched': patched(life)}))
