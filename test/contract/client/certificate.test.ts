import { operationRun, runNode } from '../../support/engine';
import { startSelfSigned } from '../../support/selfSigned';
import { withoutWaiting } from '../../support/transportClock';

/** A service whose certificate n8n does not trust: nothing is sent, and the message says what to check. */

beforeEach(withoutWaiting);

it.each([
	['a change', operationRun('tag', 'create', { name: 'A' }), ': this change was not sent'],
	['a read', operationRun('tag', 'getAll', {}), ''],
])('%s is not sent, tried once, and the message has the cause', async (_, run, notSent) => {
	const service = await startSelfSigned();
	const { error } = await runNode(service, run);
	await service.close();
	expect(error?.message).toBe(
		`n8n rejected the certificate of the service (self-signed certificate)${notSent}. Check the Base URL (${service.baseUrl}) and the certificate`,
	);
	expect(error?.description).toContain('NODE_EXTRA_CA_CERTS');
	expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	expect(service.seen).toEqual({ connections: 1, requests: 0 });
});
