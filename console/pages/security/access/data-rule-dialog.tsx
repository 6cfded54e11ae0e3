/** A data rule: created or changed. Conditions are checked by the server, which names line and column of an error. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Check, SelectField, TextArea } from '../../../parts/controls/controls.tsx';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { RolePicker, useOwnRoles } from '../common/roles.tsx';
import type { AttributeAccess, DataRule } from '../documents.ts';
import { ConditionField } from './condition-field.tsx';

interface DataRuleDialogProps {
  readonly rule: DataRule | undefined;
  readonly onClose: () => void;
}

const blank: DataRule = {
  name: '',
  layer: '',
  roles: [],
  enabled: true,
  rows: null,
  writeRows: null,
  attributes: {},
  area: null,
};

export function DataRuleDialog({ rule, onClose }: DataRuleDialogProps) {
  const { security: words } = t();
  const known = useOwnRoles() ?? [];
  const draft = useSignal<DataRule>(rule ?? blank);
  const set = (changes: Partial<DataRule>) => {
    draft.value = { ...draft.peek(), ...changes };
  };
  const save = async () => {
    const path = rule === undefined ? '/security/acl/data' : rest`/security/acl/data/${rule.name}`;
    const reply = await writeRest(path, {
      method: rule === undefined ? 'POST' : 'PUT',
      body: { dataRule: draft.peek() },
    });
    reportChange(words.ruleSaved(draft.peek().name), reply);
  };
  const { area } = draft.value;
  return (
    <FormDialog
      title={rule === undefined ? words.newDataRule : words.changeNamed(rule.name)}
      submit={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field
            label={words.name}
            name="name"
            defaultValue={rule?.name}
            error={errorOf('name')}
            onInput={(name) => set({ name: name.trim() })}
          />
          <Field
            label={words.appliesTo}
            name="layer"
            hint={words.dataRuleLayerHint}
            defaultValue={rule?.layer}
            error={errorOf('layer')}
            onInput={(layer) => set({ layer: layer.trim() })}
          />
          <RolePicker
            label={words.roles}
            known={['*', ...known]}
            value={draft.value.roles}
            error={errorOf('roles')}
            onChange={(roles) => set({ roles })}
          />
          <ConditionField
            label={words.limits.rows}
            name="rows"
            hint={words.rowsHint}
            defaultValue={rule?.rows ?? undefined}
            error={errorOf('rows')}
            onInput={(text) => set({ rows: text.trim() === '' ? null : text })}
          />
          <ConditionField
            label={words.limits.writeRows}
            name="writeRows"
            hint={words.writeRowsHint}
            defaultValue={rule?.writeRows ?? undefined}
            error={errorOf('writeRows')}
            onInput={(text) => set({ writeRows: text.trim() === '' ? null : text })}
          />
          <AttributeFields
            attributes={draft.value.attributes}
            error={errorOf('attributes')}
            onChange={(attributes) => set({ attributes })}
          />
          <TextArea
            label={words.limits.area}
            name="area"
            hint={words.areaHint}
            isCode
            defaultValue={area?.geometry}
            error={errorOf('area.geometry') ?? errorOf('area')}
            onInput={(geometry) =>
              set({ area: geometry.trim() === '' ? null : { crs: 'EPSG:4326', mode: 'intersects', ...area, geometry } })
            }
          />
          {area === null ? null : (
            <div class="security-fields">
              <Field
                label={words.crs}
                name="crs"
                defaultValue={area.crs}
                error={errorOf('area.crs')}
                onInput={(crs) => set({ area: { ...area, crs: crs.trim() } })}
              />
              <SelectField
                label={words.areaMode}
                name="area-mode"
                value={area.mode}
                options={(['intersects', 'clip'] as const).map((value) => ({ value, label: words.areaModes[value] }))}
                onChange={(mode) => set({ area: { ...area, mode: mode === 'clip' ? 'clip' : 'intersects' } })}
              />
            </div>
          )}
          <Check
            label={words.enabled}
            name="enabled"
            checked={draft.value.enabled}
            onChange={(enabled) => set({ enabled })}
          />
        </>
      )}
    </FormDialog>
  );
}

interface AttributeFieldsProps {
  readonly attributes: DataRule['attributes'];
  readonly error: string | undefined;
  readonly onChange: (attributes: DataRule['attributes']) => void;
}

/** `*` stands for the attributes that are not named. */
function AttributeFields({ attributes, error, onChange }: AttributeFieldsProps) {
  const { security: words } = t();
  const added = useSignal('');
  const accesses: readonly AttributeAccess[] = ['write', 'read', 'hide'];
  const { '*': rest = 'write', ...named } = attributes;
  const rows: readonly (readonly [string, AttributeAccess])[] = [...Object.entries(named), ['*', rest]];
  return (
    <fieldset class="control-group attribute-fields">
      <legend>{words.limits.attributes}</legend>
      {error === undefined ? null : <p class="field-error">{error}</p>}
      {rows.map(([name, access]) => (
        <div key={name} class="attribute-field">
          <SelectField
            label={name === '*' ? words.otherAttributes : name}
            name={`attribute-${name}`}
            value={access}
            options={accesses.map((value) => ({ value, label: words.attributeAccess[value] }))}
            onChange={(next) => {
              const found = accesses.find((each) => each === next) ?? 'write';
              onChange({ ...attributes, [name]: found });
            }}
          />
          {name === '*' ? null : (
            <Button
              kind="quiet"
              icon="close"
              label={words.deleteNamed(name)}
              onClick={() => {
                const { [name]: _, ...others } = attributes;
                onChange(others);
              }}
            />
          )}
        </div>
      ))}
      <div class="role-other">
        <Field
          key={rows.length}
          label={words.attributeName}
          name="new-attribute"
          onInput={(text) => {
            added.value = text.trim();
          }}
        />
        <Button
          onClick={() => {
            if (added.peek() !== '') onChange({ ...attributes, [added.peek()]: 'hide' });
            added.value = '';
          }}
        >
          {words.addAttribute}
        </Button>
      </div>
    </fieldset>
  );
}
