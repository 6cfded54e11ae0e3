/** The parts of the key of a new rule. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Check, Group, SelectField } from '../../../parts/controls/controls.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { t } from '../../../words/words.ts';
import { type Mode, modes } from '../documents.ts';
import { ANY, formatRuleKey } from './layer-rules.ts';

export type RuleFamily = 'layers' | 'services' | 'rest';

interface KeyFieldsProps {
  readonly onKey: (key: string) => void;
}

export function RuleKeyFields({ family, onKey }: KeyFieldsProps & { readonly family: RuleFamily }) {
  if (family === 'services') return <ServiceKey onKey={onKey} />;
  return family === 'rest' ? <RestKey onKey={onKey} /> : <LayerKey onKey={onKey} />;
}

function LayerKey({ onKey }: KeyFieldsProps) {
  const { security: words } = t();
  const workspace = useSignal(ANY);
  const layer = useSignal(ANY);
  const mode = useSignal<Mode>('read');
  const key = formatRuleKey({ workspace: workspace.value, layer: layer.value, mode: mode.value });
  useEffect(() => onKey(key), [key]);
  return (
    <div class="security-fields">
      <Field
        label={words.workspace}
        name="workspace"
        hint={words.workspaceHint}
        defaultValue={ANY}
        onInput={(text) => {
          workspace.value = text.trim();
        }}
      />
      <Field
        label={words.layer}
        name="layer"
        hint={words.layerHint}
        defaultValue={ANY}
        onInput={(text) => {
          layer.value = text.trim();
        }}
      />
      <SelectField
        label={words.permission}
        name="mode"
        value={mode.value}
        options={modes.map((each) => ({ value: each, label: words.modes[each] }))}
        onChange={(next) => {
          mode.value = modes.find((each) => each === next) ?? 'read';
        }}
      />
    </div>
  );
}

const services = ['wms', 'wfs', 'wcs', 'wmts', ANY];

function ServiceKey({ onKey }: KeyFieldsProps) {
  const { security: words } = t();
  const service = useSignal('wfs');
  const method = useSignal(ANY);
  const key = `${service.value}.${method.value}`;
  useEffect(() => onKey(key), [key]);
  return (
    <div class="security-fields">
      <SelectField
        label={words.service}
        name="service"
        value={service.value}
        options={services.map((each) => ({
          value: each,
          label: each === ANY ? words.allServices : each.toUpperCase(),
        }))}
        onChange={(next) => {
          service.value = next;
        }}
      />
      <Field
        label={words.operation}
        name="operation"
        hint={words.operationHint}
        defaultValue={ANY}
        onInput={(text) => {
          method.value = text.trim();
        }}
      />
    </div>
  );
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'];

function RestKey({ onKey }: KeyFieldsProps) {
  const { security: words } = t();
  const pattern = useSignal('/rest/**');
  const chosen = useSignal<readonly string[]>(['GET', 'HEAD']);
  const key = `${pattern.value}:${methods.filter((method) => chosen.value.includes(method)).join(',')}`;
  useEffect(() => onKey(key), [key]);
  return (
    <>
      <Field
        label={words.restPath}
        name="pattern"
        hint={words.restPathHint}
        defaultValue="/rest/**"
        onInput={(text) => {
          pattern.value = text.trim();
        }}
      />
      <Group label={words.restMethods}>
        {methods.map((method) => (
          <Check
            key={method}
            name="method"
            label={method}
            checked={chosen.value.includes(method)}
            onChange={(isChosen) => {
              const others = chosen.value.filter((each) => each !== method);
              chosen.value = isChosen ? [...others, method] : others;
            }}
          />
        ))}
      </Group>
    </>
  );
}
