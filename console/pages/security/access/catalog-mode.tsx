/** How layers appear to users who may not read them. */

import { useSignal } from '@preact/signals';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { t } from '../../../words/words.ts';
import { Section } from '../common/page.tsx';
import type { CatalogMode } from '../documents.ts';

const PATH = '/security/acl/catalog';
const catalogModes: readonly CatalogMode[] = ['HIDE', 'MIXED', 'CHALLENGE'];

export function CatalogModeChoice() {
  const { security: words } = t();
  const read = useRest<{ readonly mode: CatalogMode }>(PATH);
  const failure = useSignal<unknown>(undefined);
  const choose = async (mode: CatalogMode) => {
    failure.value = undefined;
    try {
      reportChange(words.catalogModeSaved, await writeRest(PATH, { method: 'PUT', body: { mode } }));
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <Section title={words.catalogMode}>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <fieldset class="catalog-mode">
        <legend class="unseen">{words.catalogMode}</legend>
        {catalogModes.map((mode) => (
          <label key={mode} class="catalog-mode-choice">
            <input
              type="radio"
              name="catalog-mode"
              value={mode}
              checked={read.data?.body.mode === mode}
              onChange={() => void choose(mode)}
            />
            <span>
              <strong>{words.catalogModes[mode].title}</strong>
              <small class="muted">{words.catalogModes[mode].hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
