import type { IDataObject } from 'n8n-workflow';
import { answered, apiFleet, on } from '../../support/apiNode';
import { runNode } from '../../support/engine';
import { useClock } from '../../support/transportClock';
import { EFFECTS } from '../../../nodes/shared/access/effects';

/** What a credential with limits allows of requests that no operation is for. */

const { fleet, run } = apiFleet({ sites: 5 });

const limited = (limits: IDataObject) => ({ ...fleet, limits });
describe('the limits of a credential', () => {
	const readOnly = { access: 'readOnly' };
	const almost = (lacking: string) => ({
		access: 'selected',
		allowed: EFFECTS.filter((each) => each !== 'reads' && each !== lacking),
	});

	it.each([
		['DELETE', '/tags/7', 'Destroy'],
		['DELETE', 'tags/ 7 ', 'Destroy'],
		['POST', 'tags', 'Organize Records'],
	])('%s %s is known', async (method, path, lacking) => {
		const effect = lacking === 'Destroy' ? 'destroys' : 'organises';
		for (const limits of [readOnly, almost(effect)]) {
			for (const preview of [false, true]) {
				const body = method === 'POST' ? { body: '{"tag":{"name":"A"}}' } : {};
				const { error } = await runNode(limited(limits), on({ method, path, preview, ...body }));
				expect(error?.message).toMatch(
					new RegExp(
						`is not allowed by the credential "Sandbox": its Access (is Read Only|does not include "${lacking}")`,
					),
				);
				expect(error?.context!.details).toMatchObject({ outcome: 'notSent' });
			}
		}
		expect(fleet.sent()).toEqual([]);
	});

	it.each([
		['GET', '/things'],
		['DELETE', '/Tags/7'],
		['GET', '/staging-sites/7/WP/users/sso-login-url'],
		['PUT', '/tags/7'],
		['POST', '/tags/7/rename'],
	])('%s %s is unknown, and needs a credential without limits', async (method, path) => {
		const unlike = [readOnly, almost('destroys'), { maxChanges: 9 }, { maxHarmful: 9 }];
		for (const limits of [...unlike, { siteAccess: 'selected', onlySites: '7' }]) {
			for (const preview of [false, true]) {
				const asked = on({ method, path, preview });
				if (method === 'GET' && preview) continue;
				const { error } = await runNode(limited(limits), asked);
				expect(error?.message).toContain('this package does not know the request');
			}
		}
		expect(fleet.sent()).toEqual([]);
		await run({ method, path });
		expect(fleet.sent().map(({ route }) => route)).toEqual([`${method} ${path}`]);
	});

	it('a GET that is refused is not tried again', async () => {
		const slept: number[] = [];
		useClock({ now: () => fleet.clock.now(), sleep: (ms) => void slept.push(ms) });
		await runNode(limited(readOnly), on({ path: '/things' }));
		expect(slept.filter((ms) => ms > 0)).toEqual([]);
	});

	it('counts the changes that a body adds', async () => {
		const body = '{"scheduled_report":{"report_template_data":{"email":{"recipients":["a@b.c"]}}}}';
		const asked = { method: 'POST', path: '/scheduled-reports/1/update', body };
		for (const preview of [false, true]) {
			const { error } = await runNode(limited(almost('sendsMail')), on({ ...asked, preview }));
			expect(error?.message).toContain('its Access does not include "Send Emails"');
		}
		expect(fleet.changes()).toEqual([]);
	});

	it('each ID in the body of a request under Also Allowed as a change', async () => {
		const limits = { alsoAllowed: 'PATCH /new/{id}', maxHarmful: 3 };
		const asked = { method: 'PATCH', path: '=/new/{{ $json.name }}', body: '{"ids":["1","2"]}' };
		const items = ['A', 'B', 'C'].map((name) => ({ name }));
		const { error, requests } = await answered({ body: {} }, asked, { items, limits });
		expect(error?.message).toContain('Harmful Changes per Execution is 3');
		expect(requests).toHaveLength(1);
	});

	it.each(['{"_method":"DELETE"}', '{"x-http-method-override":"DELETE"}'])(
		'%s makes no other request of it',
		async (text) => {
			for (const [method, part] of [
				['GET', 'query'],
				['POST', 'query'],
				['POST', 'body'],
			]) {
				fleet.forget();
				const asked = on({ method: method!, path: '/tags', [part!]: text });
				const { error } = await runNode(limited({ maxChanges: 9 }), asked);
				expect(error?.message).toMatch(
					/^The parameter "(Query|Body)" contains ".+", which Tag: .+ does not have in this form\. With the credential "Sandbox", which has limits, it cannot be checked$/,
				);
				expect(fleet.sent()).toEqual([]);
				// The service reads a query of an unknown key as it likes: the token allows that.
				await run({ method: method!, path: '/tags', [part!]: text });
				expect(fleet.sent().map(({ route }) => route)).toEqual([`${method!} /tags`]);
			}
		},
	);

	it('refuses a file instead of records, since it could not be checked', async () => {
		const [site] = await fleet.sites(1);
		const limits = { siteAccess: 'selected', onlySites: site!.id };
		const { error } = await runNode(limited(limits), on({ path: '/sites', response: 'file' }));
		expect(error?.message).toContain('The parameter "Response" is "File"');
		expect(fleet.sent()).toEqual([]);
	});

	it('omits records of others from a list, and refuses a single one', async () => {
		const [own, other] = (await fleet.sites(2)) as [any, any];
		const limits = { siteAccess: 'selected', onlySites: own.id };
		const { json } = await runNode(limited(limits), on({ path: '/sites' }));
		expect((json[0]!.sites as IDataObject[]).map(({ id }) => id)).toEqual([own.id]);
		const records = on({ path: '/sites', response: 'records' });
		expect((await runNode(limited(limits), records)).json.map(({ id }) => id)).toEqual([own.id]);
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Theirs' } });
		await fleet.api.post(`/tags/${data.tag.id}/assign`, { site_ids: [other.id] });
		const { error } = await runNode(limited(limits), on({ path: `/tags/${data.tag.id}` }));
		expect(error?.message).toContain('the site of the record is not in its Only Sites');
	});
});
