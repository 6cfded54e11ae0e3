/** A style of the gallery: its sample, its name, where it is used, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icon/icon.tsx';
import { Menu } from '../../../parts/menu/menu.tsx';
import { Swatch } from '../../../parts/swatch/swatch.tsx';
import { session } from '../../../rest/session.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { CopyStyleDialog } from '../copy-style-dialog.tsx';
import { DeleteStyleDialog } from '../delete-style-dialog.tsx';
import { getPagePath, getRestPath, type StyleEntry } from '../style-documents.ts';

interface StyleCardProps {
  readonly workspace: string | undefined;
  readonly entry: StyleEntry;
}

const SAMPLE = { width: 40, height: 40 };

export function StyleCard({ workspace, entry }: StyleCardProps) {
  const { styles: words } = t();
  const dialog = useSignal<'copy' | 'delete' | undefined>(undefined);
  const { name, format, builtIn = false, layers = [] } = entry;
  const place = { workspace, name };
  const self = session.value;
  const canDelete = !builtIn && (workspace !== undefined || self?.isAdministrator === true);
  const closeDialog = () => {
    dialog.value = undefined;
  };
  return (
    <li class="gallery-card">
      <a class="gallery-link" href={toUrl(getPagePath(place))}>
        <Sample path={`rest${getRestPath(place)}.png?width=${SAMPLE.width}&height=${SAMPLE.height}`} />
        <span class="gallery-names">
          <span class="gallery-name">{name}</span>
          <span class="gallery-facts muted">
            {format === undefined ? '' : words.languages[format]}
            {' · '}
            {builtIn ? words.builtIn : words.usedBy(layers.length)}
          </span>
          {layers.length === 0 ? null : <span class="gallery-users muted">{layers.join(', ')}</span>}
        </span>
      </a>
      <Menu class="gallery-menu" label={words.actions(name)} face={<Icon name="dots" size={18} />}>
        {(close) => (
          <>
            <button
              type="button"
              class="menu-item"
              onClick={() => {
                close();
                dialog.value = 'copy';
              }}
            >
              <Icon name="copy" size={18} />
              <span>{words.copy}</span>
            </button>
            {canDelete ? (
              <button
                type="button"
                class="menu-item"
                onClick={() => {
                  close();
                  dialog.value = 'delete';
                }}
              >
                <Icon name="trash" size={18} />
                <span>{words.delete}</span>
              </button>
            ) : null}
          </>
        )}
      </Menu>
      {dialog.value === 'copy' ? (
        <CopyStyleDialog place={place} language={format ?? 'sld'} onClose={closeDialog} />
      ) : null}
      {dialog.value === 'delete' ? <DeleteStyleDialog place={place} onClose={closeDialog} /> : null}
    </li>
  );
}

/** Samples of styles that are not visible are not requested. */
function Sample({ path }: { readonly path: string }) {
  const ground = useRef<HTMLSpanElement>(null);
  const isVisible = useSignal(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) isVisible.value = true;
    });
    if (ground.current !== null) observer.observe(ground.current);
    return () => observer.disconnect();
  }, []);
  return (
    <span ref={ground} class="gallery-sample">
      {isVisible.value ? <Swatch path={path} class="gallery-swatch" /> : null}
    </span>
  );
}
