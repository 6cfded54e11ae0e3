/** The fields of a layer group and its members. */
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { Menu } from '../../../parts/menu/menu.tsx';
import { moveItem, SortableList } from '../../../parts/sortable-list/sortable-list.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import type { LayerList } from '../../../rest/types.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { getGroupPath } from '../groups/page.tsx';
import {
  type GroupDocument,
  type GroupDraft,
  type GroupMode,
  groupModes,
  type Member,
  readGroup,
} from './group-draft.ts';

interface GroupFormProps {
  readonly draft: GroupDraft;
  readonly workspace: string | undefined;
  readonly errors: ReadonlyMap<string, string>;
  readonly onChange: (changes: Partial<GroupDraft>) => void;
}

export function GroupForm({ draft, workspace, errors, onChange }: GroupFormProps) {
  const { layerGroups: words } = t();
  return (
    <>
      <section class="group-fields">
        <Text
          name="name"
          label={words.name}
          value={draft.name}
          errors={errors}
          onChange={(name) => onChange({ name })}
        />
        <Text
          name="title"
          label={words.titleField}
          value={draft.title}
          errors={errors}
          onChange={(title) => onChange({ title })}
        />
        <Text
          name="abstractTxt"
          label={words.abstract}
          value={draft.abstract}
          errors={errors}
          onChange={(abstract) => onChange({ abstract })}
        />
        <label class="field">
          <span class="field-name">{words.mode}</span>
          <select
            class="input"
            name="mode"
            value={draft.mode}
            onChange={(event) => onChange({ mode: event.currentTarget.value as GroupMode })}
          >
            {groupModes.map((mode) => (
              <option key={mode} value={mode}>
                {words.modes[mode]}
              </option>
            ))}
          </select>
        </label>
        {draft.mode === 'EO' ? <Root draft={draft} errors={errors} onChange={onChange} /> : null}
        <label class="flag">
          <input
            type="checkbox"
            checked={draft.enabled}
            onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
          />
          {words.enabled}
        </label>
        <label class="flag">
          <input
            type="checkbox"
            checked={draft.advertised}
            onChange={(event) => onChange({ advertised: event.currentTarget.checked })}
          />
          {words.advertised}
        </label>
      </section>
      <Members draft={draft} workspace={workspace} errors={errors} onChange={onChange} />
    </>
  );
}

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly errors: ReadonlyMap<string, string>;
  readonly onChange: (value: string) => void;
  readonly list?: string;
}

function Text({ name, label, value, errors, onChange, list }: TextProps) {
  const id = useId();
  const error = errors.get(name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        name={name}
        value={value}
        list={list}
        autocomplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** The layer that represents a group of the mode EO. */
function Root({ draft, errors, onChange }: Pick<GroupFormProps, 'draft' | 'errors' | 'onChange'>) {
  const { layerGroups: words } = t();
  return (
    <>
      <Text
        name="rootLayer"
        label={words.rootLayer}
        value={draft.rootLayer}
        errors={errors}
        onChange={(rootLayer) => onChange({ rootLayer })}
      />
      <Text
        name="rootLayerStyle"
        label={words.rootStyle}
        value={draft.rootStyle}
        errors={errors}
        list="group-styles"
        onChange={(rootStyle) => onChange({ rootStyle })}
      />
    </>
  );
}

function Members({ draft, workspace, errors, onChange }: GroupFormProps) {
  const { layerGroups: words } = t();
  // The uppermost member is the first of the list.
  const shown = draft.members.toReversed();
  const keys = numberNames(shown);
  const save = (next: readonly Member[]) => onChange({ members: next.toReversed() });
  const error = errors.get('publishables') ?? errors.get('styles');
  return (
    <section class="group-members">
      <header class="stack-head">
        <h2>{words.members}</h2>
        <AddMember workspace={workspace} onAdd={(member) => save([member, ...shown])} />
      </header>
      {error === undefined ? null : <p class="field-error">{error}</p>}
      {shown.length === 0 ? <p class="muted">{words.noMembers}</p> : null}
      <SortableList
        label={words.members}
        items={shown}
        keyOf={(member) => keys.get(member) ?? ''}
        nameOf={({ name }) => name}
        onMove={(from, to) => save(moveItem(shown, from, to))}
      >
        {(member, index) => (
          <MemberItem
            member={member}
            onStyle={(style) => save(shown.with(index, { ...member, style }))}
            onRemove={() => save(shown.toSpliced(index, 1))}
          />
        )}
      </SortableList>
      <Styles workspace={workspace} />
    </section>
  );
}

/** A group can have a layer several times, with different styles. */
function numberNames(members: readonly Member[]): ReadonlyMap<Member, string> {
  const counts = new Map<string, number>();
  return new Map(
    members.map((member) => {
      const count = (counts.get(member.name) ?? 0) + 1;
      counts.set(member.name, count);
      return [member, `${member.name} ${count}`];
    }),
  );
}

interface MemberItemProps {
  readonly member: Member;
  readonly onStyle: (style: string) => void;
  readonly onRemove: () => void;
}

function MemberItem({ member, onStyle, onRemove }: MemberItemProps) {
  const { layerGroups: words } = t();
  return (
    <div class="group-member">
      <div class="stack-line">
        <Icon name={member.type === 'layer' ? 'layers' : 'group'} size={16} />
        <span class="stack-name">{member.name}</span>
        <Button kind="quiet" icon="close" label={words.remove(member.name)} onClick={onRemove} />
      </div>
      <input
        class="input group-style"
        aria-label={words.styleOf(member.name)}
        placeholder={words.defaultStyle}
        list={member.type === 'layer' ? 'group-styles' : undefined}
        autocomplete="off"
        value={member.style}
        onInput={(event) => onStyle(event.currentTarget.value.trim())}
      />
      {member.type === 'layerGroup' ? <Nested name={member.name} /> : null}
    </div>
  );
}

/** The members of a group inside the group, which its own page changes. */
function Nested({ name }: { readonly name: string }) {
  const [workspace, group = name] = name.includes(':') ? name.split(':') : [undefined, name];
  const isOpen = useSignal(false);
  const target =
    workspace === undefined ? rest`/layergroups/${group}` : rest`/workspaces/${workspace}/layergroups/${group}`;
  const read = useRest<{ readonly layerGroup: GroupDocument }>(isOpen.value ? target : undefined);
  const members = read.data === undefined ? [] : readGroup(read.data.body.layerGroup).members.toReversed();
  const { layerGroups: words } = t();
  return (
    <details
      class="group-nested"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{words.nested}</summary>
      <ul>
        {members.map((member) => (
          <li key={member.name}>
            <Icon name={member.type === 'layer' ? 'layers' : 'group'} size={16} />
            <span>{member.name}</span>
          </li>
        ))}
      </ul>
      <a href={toUrl(getGroupPath(group, workspace))}>{words.openGroup}</a>
    </details>
  );
}

interface StyleList {
  readonly styles: '' | { readonly style: readonly { readonly name: string }[] };
}

const MAX_STYLES = 200;

/** Suggestions for names of styles: global ones, and those of the workspace. */
function Styles({ workspace }: { readonly workspace: string | undefined }) {
  const global = useRest<StyleList>(withQuery('/styles', { limit: MAX_STYLES }));
  const local = useRest<StyleList>(
    workspace === undefined ? undefined : withQuery(rest`/workspaces/${workspace}/styles`, { limit: MAX_STYLES }),
  );
  const names = [local.data?.body.styles, global.data?.body.styles].flatMap((styles) =>
    styles === undefined || styles === '' ? [] : styles.style.map(({ name }) => name),
  );
  return (
    <datalist id="group-styles">
      {[...new Set(names)].map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

interface AddMemberProps {
  readonly workspace: string | undefined;
  readonly onAdd: (member: Member) => void;
}

const SHOWN = 20;

function AddMember({ workspace, onAdd }: AddMemberProps) {
  const isOpen = useSignal(false);
  const { layerGroups: words } = t();
  return (
    <Menu
      label={words.add}
      onOpen={() => {
        isOpen.value = true;
      }}
      face={
        <>
          <Icon name="plus" size={16} />
          <span>{words.add}</span>
        </>
      }
    >
      {(close) =>
        isOpen.value ? (
          <Candidates
            workspace={workspace}
            onAdd={(member) => {
              close();
              onAdd(member);
            }}
          />
        ) : null
      }
    </Menu>
  );
}

interface FoundGroups {
  readonly search: { readonly results: readonly { readonly name: string; readonly workspace?: string }[] };
}

function Candidates({ workspace, onAdd }: AddMemberProps) {
  const text = useSignal('');
  const q = text.value.trim();
  const list = workspace === undefined ? '/layers' : rest`/workspaces/${workspace}/layers`;
  const layers = useRest<LayerList>({
    path: withQuery(list, { details: true, q: q === '' ? undefined : q, limit: SHOWN }),
    keepsLast: true,
  });
  const groups = useRest<FoundGroups>({
    path: q === '' ? undefined : withQuery('/search', { q, kinds: 'layerGroup', limit: SHOWN }),
    keepsLast: true,
  });
  const { layerGroups: words } = t();
  const listed = layers.data?.body.layers;
  const members: readonly Member[] = [
    ...(listed === undefined || listed === '' ? [] : listed.layer).map(({ name }) => ({
      ...({ type: 'layer', style: '' } as const),
      name: workspace === undefined ? name : `${workspace}:${name}`,
    })),
    ...(q === '' ? [] : (groups.data?.body.search.results ?? []))
      .filter((each) => workspace === undefined || each.workspace === workspace)
      .map((each) => ({
        ...({ type: 'layerGroup', style: '' } as const),
        name: each.workspace === undefined ? each.name : `${each.workspace}:${each.name}`,
      })),
  ];
  return (
    <>
      <input
        class="input"
        type="search"
        aria-label={words.findMember}
        placeholder={words.findMember}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <ul class="stack-candidates">
        {members.map((member) => (
          <li key={`${member.type} ${member.name}`}>
            <button type="button" class="menu-item" onClick={() => onAdd(member)}>
              <Icon name={member.type === 'layer' ? 'layers' : 'group'} size={16} />
              <span>{member.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
