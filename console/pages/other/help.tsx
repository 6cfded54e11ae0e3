/** Where to read more: documents and pages of this server. */
import { restRoot, serverRoot } from '../../rest/client.ts';
import { KeyList } from '../../shell/keys.tsx';
import { t } from '../../words/words.ts';

export function Page() {
  const { help: words } = t();
  const links = [
    [words.openapi, `${restRoot}/openapi.json`],
    [words.services, new URL('ows/openapi.json', serverRoot).href],
    [words.pages, `${restRoot}.html`],
    [words.preview, new URL('preview', serverRoot).href],
  ] as const;
  return (
    <div class="help">
      <h1>{words.title}</h1>
      <p class="muted">{words.lead}</p>
      <ul class="help-links">
        {links.map(([label, href]) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <h2>{t().keys.title}</h2>
      <KeyList />
    </div>
  );
}
