/** The styles of a layer: the default, the additional ones that clients can request, and the way to their editor. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { Swatch } from '../../../parts/swatch/swatch.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { administers } from '../../../rest/session.ts';
import { toUrl } from '../../../shell/router.ts';
import type { TemplateKind } from '../../../style-text/templates.ts';
import { t } from '../../../words/words.ts';
import { useLayerAttributes } from '../../styles/layer-attributes.ts';
import { NewStyleDialog } from '../../styles/new-style-dialog.tsx';
import {
  formatStyleName,
  getCollectionPath,
  getPagePath,
  getRestPath,
  parseStyleName,
  type StyleList,
} from '../../styles/style-documents.ts';
import type { LayerView } from './page.tsx';

/** The styles of a layer, in its document. */
interface LayerStyles {
  readonly defaultStyle?: { readonly name: string };
  readonly styles?: '' | { readonly style: NamedStyle | readonly NamedStyle[] };
}

interface NamedStyle {
  readonly name: string;
}

/** Others are found by the filter. */
const LISTED = 100;

export function StyleTab({ view }: { readonly view: LayerView }) {
  const { styles: words } = t();
  const { workspace, name, layer } = view;
  const stored = layer as LayerStyles;
  const current = stored.defaultStyle?.name;
  const additional = stored.styles === undefined || stored.styles === '' ? [] : [stored.styles.style].flat();
  const names = additional.map((each) => each.name);
  const filter = useSignal('');
  const isNew = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const canWrite = administers(workspace);
  const kind = useLayerKind(view);
  const query = { limit: LISTED, q: filter.value.trim() === '' ? undefined : filter.value.trim() };
  const own = useRest<StyleList>({ path: withQuery(getCollectionPath(workspace), query), keepsLast: true });
  const global = useRest<StyleList>({ path: withQuery(getCollectionPath(undefined), query), keepsLast: true });
  const found = [...listNames(own.data?.body, workspace), ...listNames(global.data?.body, undefined)];
  const isFiltered = filter.value.trim() !== '';
  const used = [...(current === undefined ? [] : [current]), ...names];
  const rows = isFiltered ? found : [...new Set([...used, ...found])];

  const save = async (body: object) => {
    failure.value = undefined;
    try {
      const reply = await writeRest(rest`/workspaces/${workspace}/layers/${name}`, {
        method: 'PUT',
        body: { layer: body },
      });
      reportChange(words.tab.saved(name), reply);
    } catch (error) {
      failure.value = error;
    }
  };
  const setAdditional = (next: readonly string[]) => save({ styles: { style: next.map(toReference) } });
  return (
    <div class="style-tab">
      <header class="style-tab-head">
        <p class="muted">{words.tab.lead}</p>
        <span class="style-space" />
        <div class="list-filter style-tab-filter">
          <Icon name="search" size={18} />
          <input
            class="input"
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
            }}
          />
        </div>
        {canWrite ? (
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              isNew.value = true;
            }}
          >
            {words.tab.create}
          </Button>
        ) : null}
      </header>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <table class="style-tab-table">
        <thead>
          <tr>
            <th scope="col">{words.tab.style}</th>
            <th scope="col">{words.tab.default}</th>
            <th scope="col">{words.tab.additional}</th>
            <th scope="col">
              <span class="unseen">{words.tab.edit}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => (
            <Row
              key={each}
              name={each}
              layer={view.qualifiedName}
              isDefault={each === current}
              isAdditional={names.includes(each)}
              canWrite={canWrite}
              onDefault={() => void save({ defaultStyle: toReference(each) })}
              onAdditional={(isOn) =>
                void setAdditional(isOn ? [...names, each] : names.filter((other) => other !== each))
              }
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p class="muted">{words.noHits(filter.value)}</p> : null}
      {isNew.value ? (
        <NewStyleDialog
          workspace={workspace}
          layer={{ workspace, name, kind }}
          onClose={() => {
            isNew.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

function listNames(list: StyleList | undefined, workspace: string | undefined): readonly string[] {
  if (list === undefined || list.styles === '') return [];
  return list.styles.style.map(({ name }) => formatStyleName({ workspace, name }));
}

function toReference(qualified: string) {
  const { workspace, name } = parseStyleName(qualified);
  return { name, ...(workspace === undefined ? {} : { workspace: { name: workspace } }) };
}

/** The template of a new style follows the geometries. */
function useLayerKind({ qualifiedName, layer }: LayerView): TemplateKind {
  const { attributes } = useLayerAttributes(layer.type === 'VECTOR' ? qualifiedName : undefined);
  if (layer.type !== 'VECTOR') return 'raster';
  const types = (attributes ?? []).map(({ type }) => type).join(' ');
  if (/Point/.test(types)) return 'point';
  return /LineString|Curve/.test(types) ? 'line' : 'polygon';
}

interface RowProps {
  readonly name: string;
  readonly layer: string;
  readonly isDefault: boolean;
  readonly isAdditional: boolean;
  readonly canWrite: boolean;
  readonly onDefault: () => void;
  readonly onAdditional: (isOn: boolean) => void;
}

function Row({ name, layer, isDefault, isAdditional, canWrite, onDefault, onAdditional }: RowProps) {
  const { tab: words } = t().styles;
  const place = parseStyleName(name);
  const address = `${getPagePath(place)}?${new URLSearchParams({ layer })}`;
  return (
    <tr>
      <th scope="row">
        <span class="style-tab-sample">
          <Swatch path={`rest${getRestPath(place)}.png`} class="style-tab-swatch" />
        </span>
        <span>{name}</span>
      </th>
      <td>
        <label class="style-tab-choice">
          <input type="radio" name="default-style" checked={isDefault} disabled={!canWrite} onChange={onDefault} />
          <span class="unseen">{words.useAsDefault(name)}</span>
        </label>
      </td>
      <td>
        <label class="style-tab-choice">
          <input
            type="checkbox"
            checked={isAdditional}
            disabled={!canWrite || isDefault}
            onChange={(event) => onAdditional(event.currentTarget.checked)}
          />
          <span class="unseen">{words.useAsAdditional(name)}</span>
        </label>
      </td>
      <td>
        <a class="button style-tab-edit" href={toUrl(address)} aria-label={words.editStyle(name)}>
          <Icon name="code" size={16} />
          <span>{words.edit}</span>
        </a>
      </td>
    </tr>
  );
}
