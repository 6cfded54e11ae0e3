/** Who may do what: layer rules as a matrix, rules of services and REST, the catalog mode, and data rules. */
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { address, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { SecurityPage } from '../common/page.tsx';
import { useOwnRoles } from '../common/roles.tsx';
import type { RuleSet } from '../documents.ts';
import { CatalogModeChoice } from './catalog-mode.tsx';
import { DataRules } from './data-rules.tsx';
import { RuleTable } from './rule-table.tsx';
import { ViewAs } from './view-as.tsx';
import { WorkspaceMatrix } from './workspace-matrix.tsx';

const tabs = ['layers', 'data', 'services', 'rest', 'view'] as const;
type TabName = (typeof tabs)[number];

export function Page() {
  const { security: words } = t();
  const tab = tabs.find((each) => each === address.value.query.get('tab')) ?? 'layers';
  return (
    <SecurityPage
      page="access"
      lead={words.accessTabs[tab].lead}
      path={tab === 'view' ? '/security/self' : `/security/acl/${tab}.json`}
    >
      <nav class="access-tabs" aria-label={words.pages.access}>
        {tabs.map((each) => (
          <a
            key={each}
            href={toUrl(`security/access${each === 'layers' ? '' : `?tab=${each}`}`)}
            aria-current={each === tab ? 'page' : undefined}
          >
            {words.accessTabs[each].title}
          </a>
        ))}
      </nav>
      <Content tab={tab} />
    </SecurityPage>
  );
}

function Content({ tab }: { readonly tab: TabName }) {
  if (tab === 'data') return <DataRules />;
  if (tab === 'view') return <ViewAs />;
  if (tab === 'layers') return <LayerRules />;
  return <RuleTable key={tab} family={tab} />;
}

function LayerRules() {
  const rules = useRest<RuleSet>('/security/acl/layers');
  const roles = useOwnRoles();
  if (rules.error !== null) return <ProblemNotice error={rules.error} onRetry={() => void rules.refetch()} />;
  if (rules.data === undefined || roles === undefined) return null;
  return (
    <>
      <CatalogModeChoice />
      <WorkspaceMatrix rules={rules.data.body} known={roles} />
      <RuleTable family="layers" />
    </>
  );
}
