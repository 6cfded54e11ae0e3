/** The layers of the map with their order, visibility, opacity and legend. */
import { useSignal } from '@preact/signals';
import type { LayerSpec } from '../../../../map/layer-map.ts';
import { Button } from '../../../../parts/button/button.tsx';
import { Icon } from '../../../../parts/icon/icon.tsx';
import { Menu } from '../../../../parts/menu/menu.tsx';
import { moveItem, SortableList } from '../../../../parts/sortable-list/sortable-list.tsx';
import { Swatch } from '../../../../parts/swatch/swatch.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { withQuery } from '../../../../rest/client.ts';
import { usePublishedLayers } from '../../../../rest/published-layers.ts';
import { isReader } from '../../../../rest/session.ts';
import type { LayerList } from '../../../../rest/types.ts';
import { t } from '../../../../words/words.ts';
import type { MapModel } from '../../map/map-model.ts';
import { RequestState } from '../../map/request-state.tsx';
import { createSpec } from './map-layers.ts';
import { setLayers } from './map-state.ts';

interface LayerStackProps {
  /** The lowest first. */
  readonly layers: readonly LayerSpec[];
  /** The layer of the page. */
  readonly own: string;
  readonly model: MapModel;
}

export function LayerStack({ layers, own, model }: LayerStackProps) {
  const { mapTools: words } = t();
  // The uppermost layer is the first of the list.
  const shown = layers.toReversed();
  const save = (next: readonly LayerSpec[]) => setLayers(next.toReversed(), own);
  const change = (name: string, changes: Partial<LayerSpec>) =>
    save(shown.map((each) => (each.name === name ? { ...each, ...changes } : each)));
  return (
    <section class="stack">
      <header class="stack-head">
        <h2>{words.layers}</h2>
        <AddLayer present={layers} onAdd={(name) => save([createSpec(name), ...shown])} />
      </header>
      <SortableList
        label={words.layers}
        items={shown}
        keyOf={({ name }) => name}
        nameOf={({ name }) => name}
        onMove={(from, to) => save(moveItem(shown, from, to))}
      >
        {(spec) => (
          <StackItem
            spec={spec}
            model={model}
            onChange={(changes) => change(spec.name, changes)}
            {...(shown.length === 1 ? {} : { onRemove: () => save(shown.filter(({ name }) => name !== spec.name)) })}
          />
        )}
      </SortableList>
    </section>
  );
}

interface StackItemProps {
  readonly spec: LayerSpec;
  readonly model: MapModel;
  readonly onChange: (changes: Partial<LayerSpec>) => void;
  readonly onRemove?: () => void;
}

function StackItem({ spec, model, onChange, onRemove }: StackItemProps) {
  const { mapTools: words, layer } = t();
  const { name, opacity, isVisible } = spec;
  const percent = Math.round(opacity * 100);
  return (
    <div class="stack-item">
      <div class="stack-line">
        <label class="stack-name">
          <input
            type="checkbox"
            aria-label={words.show(name)}
            checked={isVisible}
            onChange={(event) => onChange({ isVisible: event.currentTarget.checked })}
          />
          <span>{name}</span>
        </label>
        {onRemove === undefined ? null : (
          <Button kind="quiet" icon="close" label={words.remove(name)} onClick={onRemove} />
        )}
      </div>
      <div class="stack-line">
        <input
          type="range"
          aria-label={words.opacity(name)}
          aria-valuetext={`${percent} %`}
          min={0}
          max={100}
          step={5}
          value={percent}
          onInput={(event) => onChange({ opacity: event.currentTarget.valueAsNumber / 100 })}
        />
        <span class="stack-percent muted">{percent} %</span>
      </div>
      <p class="stack-state muted">{isVisible ? <RequestState state={model.draws.value[name]} /> : words.hidden}</p>
      <Swatch path={createLegendPath(name)} label={`${layer.legend}: ${name}`} class="layer-legend" />
    </div>
  );
}

interface AddLayerProps {
  readonly present: readonly LayerSpec[];
  readonly onAdd: (name: string) => void;
}

const SHOWN = 20;

/** Finds layers that the user can see. */
function AddLayer({ present, onAdd }: AddLayerProps) {
  const isOpen = useSignal(false);
  const { mapTools: words } = t();
  return (
    <Menu
      label={words.addLayer}
      onOpen={() => {
        isOpen.value = true;
      }}
      face={
        <>
          <Icon name="plus" size={16} />
          <span>{words.addLayer}</span>
        </>
      }
    >
      {(close) =>
        isOpen.value ? (
          <Candidates
            present={present}
            onAdd={(name) => {
              close();
              onAdd(name);
            }}
          />
        ) : null
      }
    </Menu>
  );
}

interface Candidate {
  readonly name: string;
  readonly title?: string;
}

/** Undefined while they are loaded. */
function useCandidates(q: string, limit: number): readonly Candidate[] | undefined {
  const read = useRest<LayerList>({
    path: isReader() ? undefined : withQuery('/layers', { details: true, q: q === '' ? undefined : q, limit }),
    keepsLast: true,
  });
  const published = usePublishedLayers({ q, limit, isWanted: isReader() });
  if (isReader()) {
    return published.data?.body.layers
      .filter(({ workspace }) => workspace !== '')
      .map(({ workspace, name, title }) => ({ name: `${workspace}:${name}`, title }));
  }
  const layers = read.data?.body.layers;
  return layers === '' ? [] : layers?.layer;
}

function Candidates({ present, onAdd }: AddLayerProps) {
  const text = useSignal('');
  const found = useCandidates(text.value.trim(), SHOWN + present.length);
  const { mapTools: words, layers: list } = t();
  const others = (found ?? []).filter(({ name }) => present.every((each) => each.name !== name)).slice(0, SHOWN);
  return (
    <>
      <input
        class="input"
        type="search"
        aria-label={list.filter}
        placeholder={list.filter}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <ul class="stack-candidates">
        {others.map(({ name, title }) => (
          <li key={name}>
            <button type="button" class="menu-item" onClick={() => onAdd(name)}>
              <span>{title ?? name}</span>
              <span class="muted">{name}</span>
            </button>
          </li>
        ))}
      </ul>
      {found !== undefined && others.length === 0 ? <p class="menu-head muted">{words.noLayer}</p> : null}
    </>
  );
}

/** The legend is drawn on white, because the colours of styles are data. */
export function createLegendPath(layer: string): string {
  return withQuery('wms', {
    ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', layer, format: 'image/png' },
    ...{ width: 20, height: 20, legend_options: 'forceLabels:on;fontAntiAliasing:true' },
  });
}
