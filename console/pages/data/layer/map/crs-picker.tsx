/** Chooses the projection of the map: one that the layer offers, or any other that the server knows. */
import { useSignal } from '@preact/signals';
import { Icon } from '../../../../parts/icon/icon.tsx';
import { Menu } from '../../../../parts/menu/menu.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { withQuery } from '../../../../rest/client.ts';
import { isReader } from '../../../../rest/session.ts';
import { setQuery } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { getCapabilitiesPath, type LayerCapabilities, readCapabilities } from './capabilities.ts';
import { WEB_MERCATOR } from './map-state.ts';

interface CrsPickerProps {
  readonly value: string;
  readonly workspace: string;
  readonly layer: string;
  /** The CRS of the layer. */
  readonly own: string | undefined;
}

interface CrsList {
  readonly crs: readonly { readonly id: string }[];
}

const SHOWN = 12;

/** OpenLayers knows these; the definitions of others are for administrators of workspaces. */
const builtIn = /^EPSG:(?:3857|4326|32[67]\d\d)$/;

/** Whether the user can load the definition. */
export function canShow(code: string): boolean {
  return builtIn.test(code) || !isReader();
}

export function CrsPicker({ value, workspace, layer, own }: CrsPickerProps) {
  const isOpen = useSignal(false);
  const { mapTools: words } = t();
  return (
    <Menu
      label={words.projectionOf(value)}
      class="crs-button"
      onOpen={() => {
        isOpen.value = true;
      }}
      face={
        <>
          <span>{value}</span>
          <Icon name="down" size={14} />
        </>
      }
    >
      {(close) =>
        isOpen.value ? (
          <Systems
            {...{ value, workspace, layer, own }}
            onChoose={(code) => {
              close();
              setQuery({ crs: code === WEB_MERCATOR ? undefined : code });
            }}
          />
        ) : null
      }
    </Menu>
  );
}

function Systems({
  value,
  workspace,
  layer,
  own,
  onChoose,
}: CrsPickerProps & { readonly onChoose: (code: string) => void }) {
  const text = useSignal('');
  const canDefine = !isReader();
  const offered = useRest<LayerCapabilities>({
    path: getCapabilitiesPath(workspace, layer),
    read: readCapabilities,
  });
  const search = text.value.trim();
  const found = useRest<CrsList>({
    path: canDefine && search !== '' ? withQuery('/crs', { search, limit: SHOWN }) : undefined,
    keepsLast: true,
  });
  const { mapTools: words } = t();
  const listed = [
    ...new Set([WEB_MERCATOR, 'EPSG:4326', ...(own ?? '').split(' '), ...(offered.data?.body.systems ?? [])]),
  ]
    .filter((code) => /^[A-Z]+:\d+$/.test(code) && canShow(code))
    .slice(0, SHOWN);
  const codes = search === '' ? listed : (found.data?.body.crs.map(({ id }) => id) ?? []);
  return (
    <>
      {canDefine ? (
        <input
          class="input"
          type="search"
          aria-label={words.findCrs}
          placeholder={words.findCrs}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      ) : null}
      <ul class="crs-list" aria-label={search === '' ? words.crsOfLayer : words.crsFound}>
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              class="menu-item"
              aria-current={code === value ? 'true' : undefined}
              onClick={() => onChoose(code)}
            >
              <span>{code}</span>
              {code === own ? <span class="muted">{words.ofLayer}</span> : null}
              {code === value ? <Icon name="check" size={16} /> : null}
            </button>
          </li>
        ))}
      </ul>
      {search !== '' && found.data !== undefined && codes.length === 0 ? (
        <p class="menu-head muted">{words.noCrs(search)}</p>
      ) : null}
    </>
  );
}
