/** URLs that must pass and that must not: tested again whenever a pattern changes. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import type { BatchOperation } from '../../../rest/batch.ts';
import { lastChange } from '../../../rest/events.ts';
import { t } from '../../../words/words.ts';
import { Section } from '../common/page.tsx';
import { dropSample, type Sample, samples, testUrls, type UrlVerdict } from './test-urls.ts';

export function Samples() {
  const { security: words } = t();
  const { verdicts } = useVerdicts(undefined);
  return (
    <Section title={words.samples} lead={words.samplesLead}>
      {samples.value.length === 0 ? (
        <p class="muted">{words.noSamples}</p>
      ) : (
        <SampleList list={samples.value} verdicts={verdicts} onDrop={dropSample} />
      )}
    </Section>
  );
}

interface Tested {
  readonly verdicts: readonly UrlVerdict[] | undefined;
  readonly error: unknown;
}

/** The verdicts of all samples after a change that is not stored; those of a change on the server follow by themselves. */
export function useVerdicts(change: BatchOperation | undefined): Tested {
  const tested = useSignal<Tested>({ verdicts: undefined, error: undefined });
  const list = samples.value;
  const key = JSON.stringify([list, change, lastChange.value?.sequence]);
  useEffect(() => {
    if (list.length === 0 && change === undefined) return;
    const stop = new AbortController();
    const urls = list.map(({ url }) => url);
    // A change without samples is checked nevertheless: its pattern may be wrong.
    testUrls(urls, change, stop.signal).then(
      (verdicts) => {
        tested.value = { verdicts, error: undefined };
      },
      (error: unknown) => {
        if (!stop.signal.aborted) tested.value = { verdicts: undefined, error };
      },
    );
    return () => stop.abort();
  }, [key]);
  return tested.value;
}

interface SampleListProps {
  readonly list: readonly Sample[];
  readonly verdicts: readonly UrlVerdict[] | undefined;
  readonly onDrop?: (sample: Sample) => void;
}

export function SampleList({ list, verdicts, onDrop }: SampleListProps) {
  const { security: words } = t();
  return (
    <ul class="samples">
      {list.map((sample, index) => {
        const verdict = verdicts?.[index];
        const isGood = verdict !== undefined && verdict.allowed === sample.mustPass;
        return (
          <li key={sample.url} data-url={sample.url} data-good={verdict === undefined ? undefined : isGood}>
            {verdict === undefined ? null : <Icon name={isGood ? 'check' : 'warning'} size={16} />}
            <span class="sample-url">
              <code>{sample.url}</code>
              <small class="muted">
                {sample.mustPass ? words.mustPass : words.mustFail}
                {verdict === undefined || isGood ? '' : `: ${verdict.message}`}
              </small>
            </span>
            {onDrop === undefined ? null : (
              <Button kind="quiet" icon="close" label={words.deleteNamed(sample.url)} onClick={() => onDrop(sample)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
