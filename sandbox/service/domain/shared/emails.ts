import { unprocessable } from '../../engine/errors';

/** Fails with 422 when one of the rows has the address, in whatever case. */
export function requireNewEmail(
	rows: ReadonlyArray<{ email: string }>,
	address: string,
	param: string,
): void {
	if (rows.some(({ email }) => email.toLowerCase() === address.toLowerCase())) {
		throw unprocessable('taken', param, 'is in use already');
	}
}
