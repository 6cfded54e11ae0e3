/** The API tokens of all users. */
import { t } from '../../../words/words.ts';
import { SecurityPage } from '../common/page.tsx';
import { TokenSection } from './token-section.tsx';

export function Page() {
  return (
    <SecurityPage page="tokens" lead={t().security.allTokensLead} path="/security/tokens.json">
      <TokenSection user={undefined} isOwn={false} />
    </SecurityPage>
  );
}
