/** The tables of a database with a filter; those that are ticked are published. */
import { type Signal, useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { t } from '../../../words/words.ts';
import type { FoundTable } from './connection-check.ts';

interface TableChoiceProps {
  /** Without facts, only their names are known. */
  readonly tables: readonly (FoundTable | { readonly name: string })[];
  readonly selected: Signal<ReadonlySet<string>>;
  readonly isBusy: boolean;
  readonly onPublish: (tables: readonly string[]) => void;
  /** Whether the store exists and only tables are published. */
  readonly isStore?: boolean;
}

/** More are found with the filter: a list of thousands is slow to draw and to read. */
const SHOWN = 200;

export function TableChoice({ tables, selected, isBusy, onPublish, isStore = false }: TableChoiceProps) {
  const filter = useSignal('');
  const { publish: words } = t();
  const q = filter.value.trim().toLowerCase();
  const found = tables.filter(({ name }) => name.toLowerCase().includes(q));
  const chosen = tables.filter(({ name }) => selected.value.has(name)).map(({ name }) => name);
  const toggle = (name: string, isSelected: boolean) => {
    const next = new Set(selected.peek());
    if (isSelected) next.add(name);
    else next.delete(name);
    selected.value = next;
  };
  if (tables.length === 0) return <p class="muted">{words.noTables}</p>;
  return (
    <fieldset class="table-choice">
      <legend>
        {words.tablesTitle} <span class="muted">{words.tablesFound(tables.length)}</span>
      </legend>
      <div class="table-choice-head">
        <input
          class="input"
          type="search"
          aria-label={words.tableFilter}
          placeholder={words.tableFilter}
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
        <Button
          onClick={() => {
            selected.value = new Set(
              chosen.length > 0
                ? []
                : found.filter((each) => !('hasGeometry' in each) || each.hasGeometry).map(({ name }) => name),
            );
          }}
        >
          {chosen.length > 0 ? words.selectNone : words.selectAll}
        </Button>
      </div>
      <ul class="table-choice-list" tabIndex={0} aria-label={words.tablesTitle}>
        {found.slice(0, SHOWN).map((table) => (
          <li key={table.name}>
            <label>
              <input
                type="checkbox"
                name={table.name}
                checked={selected.value.has(table.name)}
                onChange={(event) => toggle(table.name, event.currentTarget.checked)}
              />
              <span class="table-choice-name">{table.name}</span>
              <span class="table-choice-facts muted">{'hasGeometry' in table ? describe(table) : null}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="muted">{words.noTableMatches(filter.value)}</p> : null}
      {found.length > SHOWN ? <p class="muted">{words.moreTables(found.length - SHOWN)}</p> : null}
      <div class="table-choice-foot">
        {isStore ? null : (
          <Button disabled={isBusy} onClick={() => onPublish([])}>
            {words.connectOnly}
          </Button>
        )}
        <Button
          kind="primary"
          disabled={isBusy || chosen.length === 0}
          isBusy={isBusy}
          onClick={() => onPublish(chosen)}
        >
          {words.publishMany(chosen.length)}
        </Button>
      </div>
    </fieldset>
  );
}

function describe({ hasGeometry, geometryType, srs, estimatedCount }: FoundTable): string {
  const { publish: words } = t();
  const geometry = hasGeometry ? (words.geometries[geometryType ?? ''] ?? words.geometry) : words.noGeometry;
  return [geometry, srs, estimatedCount === undefined ? undefined : words.rows(estimatedCount)]
    .filter((each) => each !== undefined)
    .join(' · ');
}
