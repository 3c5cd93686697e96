import { installForTest } from './n8n';
import { PINNED, versionsNamed } from './versions';

/** Before the tests of a project: what all its files need of a real n8n is made once, not by each process of jest. */
export default async function makeReady(
	_all: unknown,
	{ displayName }: { displayName?: { name: string } },
): Promise<void> {
	const isCompat = displayName?.name === 'compat';
	for (const version of isCompat ? versionsNamed(process.env.COMPAT_ONLY) : [PINNED]) {
		await installForTest(version);
	}
}
