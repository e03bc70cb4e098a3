"""A synthetic monorepo: many files of plausible code, the same for the same seed."""

from __future__ import annotations

import random
from pathlib import Path

_SYLLABLES_TEXT = """
ac al am an ar as bar bel bin cal cor dan dor el en er fal fin gal gor hal im in jo kal kor lan lim
lor mal mer mon nal nor ol or pal per pol quor ral ren rin sal sen sor tal ten tor ul un val ven vor
wal wen xan yor zal zen
"""
_VERBS_TEXT = "get set load store parse render build merge check apply resolve publish encode"
_SYLLABLES, _VERBS = _SYLLABLES_TEXT.split(), _VERBS_TEXT.split()
_SERVICES = 400
_WORDS = 20_000

_PYTHON = '''\
class {Thing}{Verb}er:
    """{Verb}s the {thing} of a {other}."""

    def __init__(self, {other}, {third}=None):
        self.{other} = {other}
        self.{third} = {third} or {{}}

    def {verb}_{thing}(self, {thing}, *, limit={n}):
        # A {other} without {thing} is passed on to the {third}.
        if {thing} in self.{third}:
            return self.{third}[{thing}]
        found = [item for item in self.{other}.{verb}_all({thing}) if item.{third} > limit]
        for position, item in enumerate(found):
            if item.is_stale(self.{other}.clock) and position < limit:
                logger.debug("the %s of %s is stale and is read again", {thing}, self.{other})
                item.{third} = self.{other}.{verb}_again(item, reason="{third} is {thing}")
            elif item.parent is not None and item.parent.{thing} != {thing}:
                raise LookupError(f"no {thing} for {{item.parent}}: the {other} has moved on")
            self.{other}.counters["{thing}"] = self.{other}.counters.get("{thing}", 0) + 1
        self.{third}[{thing}] = sorted(found, key=lambda item: item.{other}_{thing})
        return self.{third}[{thing}]


def {verb}_{thing}_{other}(context, {thing}):
    """Return the {thing} that the {other} {verb}s for a context."""
    service = {Thing}{Verb}er(context.{other})
    return service.{verb}_{thing}({thing}, limit={n})


'''
_TYPESCRIPT = """\
/** {Verb}s the {thing} of a {other}. */
export class {Thing}{Verb}er {{
  private readonly {third}: Map<string, {Other}> = new Map();

  constructor(private readonly {other}: {Other}, private readonly limit = {n}) {{}}

  async {verb}{Thing}({thing}: string): Promise<{Other} | undefined> {{
    // A {other} without {thing} is passed on to the {third}.
    const known = this.{third}.get({thing});
    if (known !== undefined) {{
      return known;
    }}
    const found = await this.{other}.{verb}All({thing}, this.limit);
    for (const [position, item] of found.entries()) {{
      if (item.isStale(this.{other}.clock) && position < this.limit) {{
        logger.debug(`the ${{{thing}}} of ${{this.{other}}} is stale and is read again`);
        item.{third} = await this.{other}.{verb}Again(item, {{ reason: "{third} is {thing}" }});
      }} else if (item.parent !== undefined && item.parent.{thing} !== {thing}) {{
        throw new LookupError(`no {thing} for ${{item.parent}}: the {other} has moved on`);
      }}
      this.{other}.counters.{thing} = (this.{other}.counters.{thing} ?? 0) + 1;
    }}
    found.forEach((item) => this.{third}.set(item.{thing}Key, item));
    return this.{third}.get({thing});
  }}
}}

export const {verb}{Thing}{Other} = (context: Context, {thing}: string) =>
  new {Thing}{Verb}er(context.{other}).{verb}{Thing}({thing});

"""
_GO = """\
// {Verb}{Thing} {verb}s the {thing} of a {other}.
func (s *{Other}Service) {Verb}{Thing}(ctx context.Context, {thing} string) (*{Other}, error) {{
	if known, ok := s.{third}[{thing}]; ok {{
		return known, nil
	}}
	found, err := s.{other}.{Verb}All(ctx, {thing}, {n})
	if err != nil {{
		return nil, fmt.Errorf("{verb} {thing}: %w", err)
	}}
	for position, item := range found.Items {{
		if item.IsStale(s.{other}.Clock) && position < {n} {{
			log.Debugf("the %s of %s is stale and is read again", {thing}, s.{other})
			item.{Third} = s.{other}.{Verb}Again(ctx, item, "{third} is {thing}")
		}}
		s.{other}.Counters["{thing}"]++
	}}
	s.{third}[{thing}] = found
	return found, nil
}}

"""
_KINDS = (("py", _PYTHON, 0.55), ("ts", _TYPESCRIPT, 0.3), ("go", _GO, 0.15))


def generate(folder: Path, n_files: int, file_bytes: int, seed: int = 7) -> int:
    """Write the files and return their total size; file ``i`` holds the name ``marker_i``."""
    choose = random.Random(seed)
    words = sorted(
        {"".join(choose.choices(_SYLLABLES, k=choose.randint(2, 4))) for _ in range(_WORDS)}
    )
    total = 0
    for number in range(n_files):
        suffix, template, _ = choose.choices(_KINDS, [kind[2] for kind in _KINDS])[0]
        service = words[(number // 50) % _SERVICES]
        text = _text(choose, template, words, file_bytes, number)
        path = (
            folder / service / f"part{number // 2000}" / f"{choose.choice(words)}_{number}.{suffix}"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        total += len(text)
    return total


def _text(choose: random.Random, template: str, words: list[str], size: int, number: int) -> str:
    parts = [f"marker_{number} = {number}\n\n\n"]
    length = 0
    wanted = choose.expovariate(1 / size)
    while length < min(max(wanted, size / 10), 20 * size):
        thing, other, third = choose.choices(words, k=3)
        verb = choose.choice(_VERBS)
        part = template.format(
            thing=thing, other=other, third=third, verb=verb, n=choose.randint(1, 500),
            Thing=thing.title(), Other=other.title(), Verb=verb.title(), Third=third.title(),
        )  # fmt: skip
        parts.append(part)
        length += len(part)
    return "".join(parts)
