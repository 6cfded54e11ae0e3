/** Data rules: which rows, attributes and areas of layers roles can read and change. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { Badge, Section } from '../common/page.tsx';
import type { DataRule, DataRuleList } from '../documents.ts';
import { DataRuleDialog } from './data-rule-dialog.tsx';
import { RuleDetails } from './data-rule-facts.tsx';

/** The rule of the address is open; a rule without a name is a new one. */
const NEW = '+';

export function DataRules() {
  const { security: words } = t();
  const read = useRest<DataRuleList>('/security/acl/data');
  const removed = useSignal<DataRule | undefined>(undefined);
  const opened = address.value.query.get('rule');
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  const rules = read.data?.body.dataRules;
  if (rules === undefined) return null;
  const rule = rules.find(({ name }) => name === opened);
  return (
    <Section
      title={words.dataRules}
      lead={words.dataRulesLead}
      action={
        <Button kind="primary" icon="plus" onClick={() => setQuery({ rule: NEW })}>
          {words.newDataRule}
        </Button>
      }
    >
      {rules.length === 0 ? (
        <Empty icon="filter" title={words.noDataRulesTitle}>
          <p>{words.noDataRules}</p>
        </Empty>
      ) : (
        <div class="data-rules">
          {rules.map((each) => (
            <article key={each.name} class="data-rule" data-rule={each.name}>
              <header class="data-rule-head">
                <h3>{each.name}</h3>
                <Badge kind={each.enabled ? 'good' : 'plain'}>{each.enabled ? words.enabled : words.disabled}</Badge>
                <span class="data-rule-buttons">
                  <Button
                    kind="quiet"
                    icon="edit"
                    label={words.changeNamed(each.name)}
                    onClick={() => setQuery({ rule: each.name })}
                  />
                  <Button
                    kind="quiet"
                    icon="trash"
                    label={words.deleteNamed(each.name)}
                    onClick={() => {
                      removed.value = each;
                    }}
                  />
                </span>
              </header>
              <RuleDetails rule={each} />
            </article>
          ))}
        </div>
      )}
      {opened === NEW || rule !== undefined ? (
        <DataRuleDialog key={opened ?? ''} rule={rule} onClose={() => setQuery({ rule: undefined })} />
      ) : null}
      {removed.value === undefined ? null : (
        <RemoveDataRule
          rule={removed.value}
          onClose={() => {
            removed.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function RemoveDataRule({ rule, onClose }: { readonly rule: DataRule; readonly onClose: () => void }) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.deleteNamed(rule.name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(rest`/security/acl/data/${rule.name}`, { method: 'DELETE' });
        reportChange(words.deleted(rule.name), reply);
      }}
    >
      <p>{words.deleteDataRuleLead}</p>
      <RuleDetails rule={rule} />
    </ConfirmDialog>
  );
}
