/** The filter of a rule as rows: attribute, operator and value, of which all or any apply. */
import { useId } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import {
  type FilterRow,
  type FilterRows,
  hasValue,
  isWritable,
  type Operator,
  operators,
  setValue,
} from '../../../style-text/filter-rows.ts';
import { t } from '../../../words/words.ts';

interface FilterFormProps {
  readonly filter: FilterRows;
  readonly attributes: readonly string[];
  readonly onChange: (filter: FilterRows) => void;
}

export function FilterForm({ filter, attributes, onChange }: FilterFormProps) {
  const { filterRows: words } = t().styles.visual;
  const list = useId();
  const { join, rows } = filter;
  const setRow = (at: number, change: Partial<FilterRow>) =>
    onChange({ join, rows: rows.map((row, index) => (index === at ? { ...row, ...change } : row)) });
  const add = () => {
    const row: FilterRow = { attribute: attributes[0] ?? 'name', operator: '=', value: '', isText: false };
    onChange({ join, rows: [...rows, row] });
  };
  return (
    <fieldset class="filter-rows">
      <legend class="unseen">{words.label}</legend>
      <datalist id={list}>
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.length < 2 ? null : (
        <select
          class="input filter-rows-join"
          aria-label={words.join}
          value={join}
          onChange={(event) => onChange({ join: event.currentTarget.value === 'OR' ? 'OR' : 'AND', rows })}
        >
          <option value="AND">{words.all}</option>
          <option value="OR">{words.any}</option>
        </select>
      )}
      {rows.map((row, index) => (
        <Row
          key={index}
          {...{ row, index, list }}
          onChange={(change) => setRow(index, change)}
          onRemove={() => onChange({ join, rows: rows.filter((_, at) => at !== index) })}
        />
      ))}
      <Button kind="quiet" icon="plus" onClick={add}>
        {words.add}
      </Button>
    </fieldset>
  );
}

interface RowProps {
  readonly row: FilterRow;
  readonly index: number;
  /** The id of the list of attributes. */
  readonly list: string;
  readonly onChange: (change: Partial<FilterRow>) => void;
  readonly onRemove: () => void;
}

function Row({ row, index, list, onChange, onRemove }: RowProps) {
  const { filterRows: words } = t().styles.visual;
  const set = (input: HTMLInputElement, change: Partial<FilterRow>) => {
    const isValid = isWritable({ ...row, ...change });
    input.setAttribute('aria-invalid', String(!isValid));
    if (isValid) onChange(change);
  };
  return (
    <div class="filter-row">
      <input
        class="input"
        list={list}
        aria-label={words.attribute(index + 1)}
        value={row.attribute}
        spellcheck={false}
        autocomplete="off"
        onChange={({ currentTarget }) => set(currentTarget, { attribute: currentTarget.value.trim() })}
      />
      <select
        class="input"
        aria-label={words.operator(index + 1)}
        value={row.operator}
        onChange={({ currentTarget: { value } }) => {
          const operator = operators.find((each) => each === value) ?? '=';
          onChange(hasValue(operator) ? { operator } : { operator, value: '' });
        }}
      >
        {operators.map((operator: Operator) => (
          <option key={operator} value={operator}>
            {words.operators[operator]}
          </option>
        ))}
      </select>
      {hasValue(row.operator) ? (
        <input
          class="input"
          aria-label={words.value(index + 1)}
          value={row.value}
          spellcheck={false}
          autocomplete="off"
          onChange={({ currentTarget }) => set(currentTarget, setValue(row, currentTarget.value))}
        />
      ) : (
        <span />
      )}
      <Button kind="quiet" icon="trash" label={words.remove(index + 1)} onClick={onRemove} />
    </div>
  );
}
