/** The frame of every page below Security: its title, the tabs of the area and an action. */
import type { ComponentChildren } from 'preact';
import { Tabs } from '../../../parts/tabs/tabs.tsx';
import { formatCurl } from '../../../rest/client.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';

const pages = [
  ['access', 'shield'],
  ['users', 'user'],
  ['groups', 'users'],
  ['roles', 'check'],
  ['tokens', 'key'],
  ['sign-in', 'login'],
  ['url-checks', 'link'],
  ['keystore', 'lock'],
] as const;

export type SecurityPageName = (typeof pages)[number][0];

interface SecurityPageProps {
  readonly page: SecurityPageName;
  /** Replaces the title of the page, for one user or group. */
  readonly title?: string;
  readonly lead?: string;
  readonly action?: ComponentChildren;
  /** The REST path that the page shows. */
  readonly path: string;
  readonly children: ComponentChildren;
}

export function SecurityPage({ page, title, lead, action, path, children }: SecurityPageProps) {
  const { security: words, app } = t();
  const name = words.pages[page];
  return (
    <div class="security">
      <header class="security-head">
        <p class="security-area">
          {title === undefined ? app.security : <a href={toUrl(`security/${page}`)}>{name}</a>}
        </p>
        <div class="security-title">
          <h1>{title ?? name}</h1>
          {action}
        </div>
        <Tabs
          label={app.security}
          selected={page}
          tabs={pages.map(([id, icon]) => ({ id, icon, label: words.pages[id], href: toUrl(`security/${id}`) }))}
        />
      </header>
      <div class="security-body">
        {lead === undefined ? null : <p class="security-lead muted">{lead}</p>}
        {children}
        <details class="security-curl">
          <summary>{app.showAsCurl}</summary>
          <p class="muted">{app.curlHint}</p>
          <pre tabIndex={0}>
            <code>{formatCurl(path)}</code>
          </pre>
        </details>
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, lead, action, children }: SectionProps) {
  return (
    <section class="security-section">
      <header class="security-section-head">
        <div>
          <h2>{title}</h2>
          {lead === undefined ? null : <p class="muted">{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** A short word with a meaning: colour is never alone. */
export function Badge({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'good' | 'warning' | 'error' | 'accent';
  readonly children: ComponentChildren;
}) {
  return <span class={`security-badge security-badge-${kind}`}>{children}</span>;
}
