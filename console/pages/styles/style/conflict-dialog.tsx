/** Another user has saved the style since the work began: both texts, and which of them shall remain. */
import { Button } from '../../../parts/button/button.tsx';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { session as user } from '../../../rest/session.ts';
import type { ChangeEntry } from '../../../rest/types.ts';
import { type ComparedLine, compareLines } from '../../../style-text/compare-lines.ts';
import { t } from '../../../words/words.ts';
import type { StyleSession } from './style-session.ts';

interface ConflictDialogProps {
  readonly session: StyleSession;
  readonly onSave: () => void;
}

export function ConflictDialog({ session, onSave }: ConflictDialogProps) {
  const { conflict: words } = t().styles;
  // The version of a text is the number of the change that wrote it.
  const change = /\d+/.exec(session.conflict.value?.etag ?? '')?.[0];
  const history = useRest<ChangeEntry>(
    user.value?.isAdministrator && change !== undefined ? rest`/history/${change}` : undefined,
  );
  const who = history.data?.body.who;
  const theirs = session.conflict.value?.text ?? '';
  const { one, other } = compareLines(session.text.value, theirs);
  return (
    <Dialog
      title={words.title}
      onClose={() => {
        session.conflict.value = undefined;
      }}
    >
      <div class="style-conflict">
        <p>{who === undefined ? words.lead : words.leadBy(who)}</p>
        <div class="style-conflict-texts">
          <Side title={words.mine} lines={one} />
          <Side title={words.theirs} lines={other} />
        </div>
        <footer class="style-dialog-actions">
          <Button onClick={() => session.takeTheirs()}>{words.takeTheirs}</Button>
          <Button
            kind="primary"
            onClick={() => {
              session.keepMine();
              onSave();
            }}
          >
            {words.keepMine}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

function Side({ title, lines }: { readonly title: string; readonly lines: readonly ComparedLine[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <pre tabIndex={0}>
        {lines.map(({ text, isDifferent }, index) => (
          <code key={index} class={isDifferent ? 'style-line style-line-different' : 'style-line'}>
            {isDifferent ? '● ' : '  '}
            {text}
          </code>
        ))}
      </pre>
    </section>
  );
}
