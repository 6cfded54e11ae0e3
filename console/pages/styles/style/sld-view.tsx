/** The style as SLD, which map clients and other servers read. */
import { Button } from '../../../parts/button/button.tsx';
import { copyText } from '../../../parts/copy-line/copy-line.tsx';
import { t } from '../../../words/words.ts';

export function SldView({ sld }: { readonly sld: string | undefined }) {
  const { editor: words } = t().styles;
  if (sld === undefined) return <p class="style-sld-empty muted">{words.noSld}</p>;
  return (
    <div class="style-sld">
      <div class="style-sld-copy">
        <Button icon="copy" label={t().app.copy} onClick={() => void copyText(sld)} />
      </div>
      <pre tabIndex={0}>
        <code>{sld}</code>
      </pre>
    </div>
  );
}
