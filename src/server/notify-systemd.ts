/**
 * Reports the state of the server to systemd (`Type=notify`). Node.js has no Unix datagram sockets, so the program of
 * systemd sends the message. See docs/decisions/070-systemd-notify-reports-readiness.md.
 */
import { execFile } from 'node:child_process';

/** systemd-notify waits up to five seconds until systemd has read the message. */
const TIMEOUT_MS = 10_000;

export interface SystemdNotice {
  /** `READY=1` or `STOPPING=1`. */
  readonly state: 'READY' | 'STOPPING';
  /** What `systemctl status` shows. */
  readonly status: string;
}

/** Does nothing outside systemd. A failed report does not stop the server; systemd reports the missing readiness. */
export function notifySystemd(
  { state, status }: SystemdNotice,
  environment: Readonly<Record<string, string | undefined>>,
  onError: (error: Error) => void,
): void {
  if (environment['NOTIFY_SOCKET'] === undefined) return;
  execFile('systemd-notify', [`${state}=1`, `STATUS=${status}`], { timeout: TIMEOUT_MS }, (error) => {
    if (error !== null) onError(error);
  });
}
