/** Roles: their names for people, and the choice of some of them. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Check, Group } from '../../../parts/controls/controls.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { useRest } from '../../../rest/cache.ts';
import { t } from '../../../words/words.ts';
import { ADMINISTRATOR, ANONYMOUS, EVERYONE, isComputedRole, SIGNED_IN } from './role-names.ts';

/** Returns the roles that the administrators have created; undefined while they are loaded. */
export function useOwnRoles(): readonly string[] | undefined {
  const read = useRest<{ readonly roles: readonly string[] }>('/security/roles');
  return read.data?.body.roles.filter((role) => !isComputedRole(role));
}

export function nameRole(role: string): string {
  const names: Readonly<Record<string, string>> = t().security.roleNames;
  return Object.hasOwn(names, role) ? (names[role] ?? role) : role;
}

/** Role names as short labels. */
export function RoleList({ roles }: { readonly roles: readonly string[] }) {
  if (roles.length === 0) return <span class="muted">{t().app.none}</span>;
  return (
    <ul class="role-list">
      {roles.map((role) => (
        <li key={role} class="security-badge" title={role}>
          {nameRole(role)}
        </li>
      ))}
    </ul>
  );
}

interface RolePickerProps {
  readonly label: string;
  readonly known: readonly string[];
  readonly value: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
  /** Roles that the server computes, and everyone, for rules. */
  readonly withComputed?: boolean;
  readonly error?: string | undefined;
}

export function RolePicker({ label, known, value, onChange, withComputed = false, error }: RolePickerProps) {
  const other = useSignal('');
  const { security: words } = t();
  const special = withComputed ? [EVERYONE, SIGNED_IN, ANONYMOUS, ADMINISTRATOR] : [];
  const offered = [...new Set([...special, ...known, ...value])];
  const set = (role: string, isChosen: boolean) => {
    const rest = value.filter((each) => each !== role);
    onChange(isChosen ? [...rest, role] : rest);
  };
  const add = () => {
    const name = other.peek().trim();
    if (name !== '') set(name, true);
    other.value = '';
  };
  return (
    <div class="role-picker">
      <Group label={label}>
        {offered.map((role) => (
          <Check
            key={role}
            name="role"
            label={nameRole(role)}
            checked={value.includes(role)}
            onChange={(isChosen) => set(role, isChosen)}
          />
        ))}
      </Group>
      {error === undefined ? null : <p class="field-error">{error}</p>}
      {withComputed ? (
        <div class="role-other">
          <Field
            key={value.length}
            label={words.otherRole}
            name="other-role"
            onInput={(text) => {
              other.value = text;
            }}
          />
          <Button onClick={add}>{words.addRole}</Button>
        </div>
      ) : null}
    </div>
  );
}
