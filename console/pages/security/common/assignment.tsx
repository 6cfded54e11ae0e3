/** Roles or groups of one account as check boxes: each change is stored at once and can be undone. */
import { useSignal } from '@preact/signals';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Check, Group } from '../../../parts/controls/controls.tsx';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { t } from '../../../words/words.ts';
import { nameRole } from './roles.tsx';

interface AssignmentProps {
  readonly label: string;
  readonly offered: readonly string[];
  /** Undefined while it is loaded. */
  readonly chosen: readonly string[] | undefined;
  /** POST adds, DELETE removes. */
  readonly createPath: (name: string) => string;
  /** Why removing a name is dangerous. */
  readonly warn?: (name: string) => string | undefined;
}

export function Assignment({ label, offered, chosen, createPath, warn }: AssignmentProps) {
  const { security: words } = t();
  const failure = useSignal<unknown>(undefined);
  const asked = useSignal<string | undefined>(undefined);
  if (chosen === undefined) return null;
  const write = async (name: string, isAdded: boolean) => {
    const reply = await writeRest(createPath(name), { method: isAdded ? 'POST' : 'DELETE' });
    reportChange((isAdded ? words.added : words.removed)(nameRole(name)), reply);
  };
  const set = async (name: string, isAdded: boolean) => {
    failure.value = undefined;
    if (!isAdded && warn?.(name) !== undefined) {
      asked.value = name;
      return;
    }
    await write(name, isAdded).catch((error: unknown) => {
      failure.value = error;
    });
  };
  const names = [...new Set([...offered, ...chosen])];
  return (
    <>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {names.length === 0 ? <p class="muted">{t().app.none}</p> : null}
      <Group label={label} isUnlabelled>
        {names.map((name) => (
          <Check
            key={`${name} ${chosen.includes(name)} ${asked.value === name}`}
            name={`assigned-${name}`}
            label={nameRole(name)}
            checked={chosen.includes(name)}
            onChange={(isAdded) => void set(name, isAdded)}
          />
        ))}
      </Group>
      {asked.value === undefined ? null : (
        <ConfirmDialog
          title={words.removeNamed(nameRole(asked.value))}
          submit={words.remove}
          onConfirm={() => write(asked.peek() ?? '', false)}
          onClose={() => {
            asked.value = undefined;
          }}
        >
          <Remark kind="warning">{warn?.(asked.value)}</Remark>
        </ConfirmDialog>
      )}
    </>
  );
}
