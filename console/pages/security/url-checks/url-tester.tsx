/** Type a URL: the check that allows it, or why none does. Both can be kept as an example for later patterns. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { lastChange } from '../../../rest/events.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { keepSample, testUrls, type UrlVerdict } from './test-urls.ts';

/** The pause after the last key. */
const PAUSE_MS = 300;

export function UrlTester() {
  const id = useId();
  const { security: words } = t();
  const verdict = useSignal<UrlVerdict | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const url = address.value.query.get('url') ?? '';
  const changed = lastChange.value?.sequence;
  useEffect(() => {
    failure.value = undefined;
    if (url === '') {
      verdict.value = undefined;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      testUrls([url], undefined, stop.signal).then(
        ([found]) => {
          verdict.value = found;
        },
        (error: unknown) => {
          if (!stop.signal.aborted) failure.value = error;
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [url, changed]);
  return (
    <section class="url-tester">
      <label for={id}>{words.testUrl}</label>
      <input
        id={id}
        class="input"
        type="url"
        autocomplete="off"
        spellcheck={false}
        placeholder="https://data.example.org/roads.zip"
        value={url}
        onInput={(event) => setQuery({ url: event.currentTarget.value })}
      />
      <div role="status" class="url-verdict" data-allowed={verdict.value?.allowed}>
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        {verdict.value === undefined ? null : (
          <>
            <Icon name={verdict.value.allowed ? 'check' : 'close'} />
            <div>
              <strong>{verdict.value.allowed ? words.urlAllowed : words.urlRefused}</strong>
              <p>{verdict.value.message}</p>
              <p class="security-line">
                <Button onClick={() => keepSample({ url, mustPass: true })}>{words.keepMustPass}</Button>
                <Button onClick={() => keepSample({ url, mustPass: false })}>{words.keepMustFail}</Button>
              </p>
            </div>
          </>
        )}
      </div>
    </section>
  );
}
