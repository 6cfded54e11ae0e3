/** The changes of what a page shows, and its request on the command line. */
import { formatCurl, withQuery } from '../../rest/client.ts';
import { session } from '../../rest/session.ts';
import { toUrl } from '../../shell/router.ts';
import { t } from '../../words/words.ts';
import { CopyLine } from '../copy-line/copy-line.tsx';
import { Icon } from '../icon/icon.tsx';
import { Menu } from '../menu/menu.tsx';

interface PageToolsProps {
  /** The REST path of the page, with its query. */
  readonly path: string;
  /** The REST path whose changes are listed; by default that of the page. */
  readonly changesOf?: string;
  /** Whether what the page shows has changes of its own. */
  readonly hasChanges?: boolean;
  /** Whether the page shows its request elsewhere. */
  readonly hasCurl?: boolean;
}

/** Only administrators of the server may read the history. */
export function PageTools({ path, changesOf = path, hasChanges = true, hasCurl = false }: PageToolsProps) {
  const { app, historyPages } = t();
  return (
    <div class="page-tools">
      {hasChanges && session.value?.isAdministrator ? (
        <a
          class="button button-quiet button-icon"
          href={toUrl(withQuery('operations/history', { path: changesOf === '' ? undefined : changesOf }))}
          title={historyPages.ofPage}
          aria-label={historyPages.ofPage}
        >
          <Icon name="clock" size={18} />
        </a>
      ) : null}
      {hasCurl ? null : (
        <Menu class="button button-quiet button-icon" label={app.showAsCurl} face={<Icon name="code" size={18} />}>
          {() => (
            <div class="page-tools-curl">
              <CopyLine label="curl" text={formatCurl(path)} isBlock />
              <p class="muted">{app.curlHint}</p>
            </div>
          )}
        </Menu>
      )}
    </div>
  );
}
