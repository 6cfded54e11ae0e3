/** The frame of all pages: sign-in first, then rail, top bar and the page of the address. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { loadPage } from '../pages.ts';
import { Button, OFFLINE_REMARK } from '../parts/button/button.tsx';
import { WindowDrop } from '../parts/drop-zone/drop-zone.tsx';
import { droppedFiles } from '../parts/drop-zone/dropped-files.ts';
import { Empty, Remark } from '../parts/notice/notice.tsx';
import { Toasts } from '../parts/toast/toast.tsx';
import { getLastAnswerTime, isUnreachable } from '../rest/client.ts';
import { watchConnection } from '../rest/connection.ts';
import { followChanges } from '../rest/events.ts';
import { needsSignIn, session } from '../rest/session.ts';
import { type ConsoleRoute, type PageProps, routes } from '../routes.ts';
import { formatTime, t } from '../words/words.ts';
import { KeyHelp, startKeys } from './keys.tsx';
import { matchRoute } from './match-route.ts';
import { mayOpen } from './may-open.ts';
import { Rail } from './rail.tsx';
import { address, navigate, withWorkspace } from './router.ts';
import { SignInDialog, SignInPage } from './sign-in.tsx';
import { TopBar } from './top-bar.tsx';

export function App() {
  const user = session.value;
  useEffect(startKeys, []);
  useEffect(watchConnection, []);
  if (user === undefined) return null;
  if (user === null) return <SignInPage />;
  return <Frame />;
}

function Frame() {
  const user = session.value;
  const found = matchRoute(routes, address.value.path);
  const title = found === undefined ? t().errors.notFound : found.route.title(t(), found.params);
  const follows = user?.isAdministrator === true;
  // A stream that was refused when the session ended is opened again after the sign-in.
  useEffect(() => (follows ? followChanges() : undefined), [follows, user]);
  useEffect(() => {
    document.title = `${title} · ${t().app.name}`;
  }, [title]);
  return (
    <>
      <a class="shell-skip" href="#content">
        {t().app.skip}
      </a>
      <div class="shell">
        <Rail area={found?.route.area} />
        <TopBar />
        <main
          id="content"
          class="shell-main"
          tabIndex={-1}
          data-offline={isUnreachable.value || undefined}
          aria-describedby={isUnreachable.value ? OFFLINE_REMARK : undefined}
        >
          <div class="shell-offline" id={OFFLINE_REMARK} role="status">
            {isUnreachable.value ? (
              <Remark kind="warning">
                <strong>{t().errors.network}</strong>
                <span>{t().errors.networkHint(formatTime(getLastAnswerTime()))}</span>
              </Remark>
            ) : null}
          </div>
          {found === undefined ? (
            <NotFound />
          ) : !mayOpen(found.route) ? (
            <Forbidden />
          ) : (
            <Page key={pageKey(found)} route={found.route} params={found.params} />
          )}
        </main>
      </div>
      {needsSignIn.value ? <SignInDialog /> : null}
      {user != null && user.workspaces.length > 0 ? <WindowDrop onFiles={openFiles} /> : null}
      <KeyHelp />
      <Toasts />
    </>
  );
}

/** Files can be dropped on every page. */
function openFiles(files: readonly File[]): void {
  if (files.length === 0) return;
  droppedFiles.value = files;
  navigate(withWorkspace('publish'));
}

/** A page is kept while only its query changes. */
function pageKey({ route, params }: { readonly route: ConsoleRoute; readonly params: PageProps['params'] }): string {
  return JSON.stringify([route.path, params]);
}

function Page({ route, params }: { readonly route: ConsoleRoute; readonly params: PageProps['params'] }) {
  const loaded = useSignal<{ readonly Content: ComponentType<PageProps> } | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const [error] = useErrorBoundary();
  useEffect(() => {
    let isCurrent = true;
    loadPage(route.page).then(
      (Content) => {
        if (isCurrent) loaded.value = { Content };
      },
      (reason: unknown) => {
        if (isCurrent) failure.value = reason;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [route]);
  const reason = error ?? failure.value;
  if (reason !== undefined) return <Failed reason={reason} isMissing={failure.value !== undefined} />;
  if (loaded.value === undefined) return null;
  const { Content } = loaded.value;
  return <Content params={params} />;
}

/** A script that is missing belongs to an older version of the server. */
function Failed({ reason, isMissing }: { readonly reason: unknown; readonly isMissing: boolean }) {
  return (
    <Empty icon="warning" title={isMissing ? t().errors.update : t().errors.pageFailed}>
      <p>{reason instanceof Error ? reason.message : String(reason)}</p>
      <Button kind="primary" worksOffline onClick={() => location.reload()}>
        {t().errors.reload}
      </Button>
    </Empty>
  );
}

function Forbidden() {
  return (
    <Empty icon="lock" title={t().errors.forbidden}>
      <p>{t().security.administratorsOnly}</p>
    </Empty>
  );
}

function NotFound() {
  return (
    <Empty icon="search" title={t().errors.notFound}>
      <p>{t().errors.notFoundHint}</p>
    </Empty>
  );
}
