import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { SiteUrl } from '../input/id';
import { shown } from '../input/refusal';
import { withAddresses } from '../receive/messages';
import type { CallContext } from '../n8n/context';
import { listAll } from '../client/paging';
import { sharedReads } from '../client/sharedReads';

/** The sites at an address. @param anew whether what was read earlier in the run is of no use */
export const sitesAt = async (context: CallContext, wanted: SiteUrl, anew: boolean) =>
	(await wanted.among(async (query) => await sitesBy(context, query, anew))).there;

/**
 * The id of the site with exactly this host and path.
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSite(
	context: CallContext,
	wanted: SiteUrl,
	anew: boolean,
): Promise<string> {
	const itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const { there, onHost } = await wanted.among(
		async (query) => await sitesBy(context, query, anew),
	);
	const [match] = there;
	if (!match) {
		const others = onHost.map(({ url }) => String(url)).join(', ');
		throw fail(
			`No site with the URL ${shown(wanted.text)} was found`,
			others
				? `The path must match as well. Sites on this host: ${others}.`
				: 'The host must match exactly. staging.example.com is different from example.com.',
		);
	}
	if (there.length > 1) {
		throw fail(
			`More than one site has the URL ${shown(wanted.text)}`,
			`Choose one of them by ID: ${withAddresses(there)}.`,
		);
	}
	return String(match.id);
}

/** Sites by a filter; asked for once in a run that only reads, however many items name them. */
async function sitesBy(
	context: CallContext,
	qs: IDataObject,
	anew: boolean,
): Promise<IDataObject[]> {
	const read = async () => await listAll(context, { method: 'GET', url: '/sites', qs });
	return 'getItemIndex' in context && !anew
		? await sharedReads(context).get(`sites ${JSON.stringify(qs)}`, read)
		: await read();
}
