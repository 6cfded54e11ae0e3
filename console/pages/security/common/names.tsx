/** The first names of a list, and how many more there are. */
import { t } from '../../../words/words.ts';

/** More are counted. */
const MAX_NAMES = 6;

export function Names({ names }: { readonly names: readonly string[] }) {
  const { security: words, app } = t();
  if (names.length === 0) return <span class="muted">{app.none}</span>;
  const rest = names.length - MAX_NAMES;
  return (
    <span>
      {names.slice(0, MAX_NAMES).join(', ')} {rest > 0 ? <span class="muted">{words.andMore(rest)}</span> : null}
    </span>
  );
}
