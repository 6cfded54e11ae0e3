/** The rows of the index. A row is selected with its box, and shown on the map by focus or pointer. */
import { formatMoment, t } from '../../../words/words.ts';
import { hasNumber } from '../layer/has-number.ts';
import { formatValue } from '../layer/place-panel.tsx';
import type { Granule } from './read-granules.ts';

interface GranuleTableProps {
  readonly granules: readonly Granule[];
  readonly label: string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  readonly onSelectAll: (isSelected: boolean) => void;
}

export function GranuleTable({ granules, label, selected, onSelect, onSelectAll }: GranuleTableProps) {
  const { granules: words, data } = t();
  const names = [...new Set(granules.flatMap(({ properties }) => Object.keys(properties)))];
  const count = granules.filter(({ id }) => selected.has(id)).length;
  return (
    <div class="granules-scroll" role="region" tabIndex={0} aria-label={label}>
      <table class="data-table granules-table">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={words.selectAll}
                checked={granules.length > 0 && count === granules.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = count > 0 && count < granules.length;
                }}
                onChange={(event) => onSelectAll(event.currentTarget.checked)}
              />
            </th>
            <th scope="col">{data.id}</th>
            {names.map((name) => (
              <th key={name} scope="col" class={hasNumber(granules, name) ? 'data-number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {granules.map(({ id, properties }) => (
            <tr key={id} data-id={id} data-chosen={selected.has(id)}>
              <td>
                <input
                  type="checkbox"
                  aria-label={words.select(id)}
                  checked={selected.has(id)}
                  onChange={(event) => onSelect(id, event.currentTarget.checked)}
                />
              </td>
              <th scope="row">{id}</th>
              {names.map((name) => (
                <td key={name} class={typeof properties[name] === 'number' ? 'data-number' : ''}>
                  {formatGranuleValue(properties[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function formatGranuleValue(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? formatMoment(value) : formatValue(value);
}
