import { forbidden, unauthorized } from '../engine/errors';
import type { World } from '../engine/world';

/** Whether an `Authorization` header carries the account's API token as a bearer (Part A 5). */
export function hasToken(header: string | undefined, token: string): boolean {
	return /^Bearer +(.+)$/i.exec(header ?? '')?.[1] === token;
}

/** Fails with 401 without the token and with 403 when the account is inactive. */
export function requireAccess(header: string | undefined, token: string, world: World): void {
	if (!hasToken(header, token)) throw unauthorized();
	if (!world.account.active) throw forbidden();
}
