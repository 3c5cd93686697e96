import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { INodeTypeDescription } from 'n8n-workflow';

/** What people type into n8n's search for nodes, and how n8n answers. */

/**
 * Searches with the node that comes first among ours. For "site" the alias is "sItE": n8n scores a name 1.3 times an alias
 * and gives points for capitals within a word, without which *Site Management Tag* would come first.
 */
const SEARCHES: Record<string, string> = {
	backup: 'backup, back up, wordpress backup, restore, migrate, backup failed, failed backup',
	snapshot: 'snapshot',
	backupContent: 'database',
	backupDestination: 'storage',
	component: 'component, plugin, theme, cve, inventory',
	autoUpdate: 'update plugins, plugins, auto update, update wordpress, update failed',
	site: 'site, website, wordpress, uptime, down, malware, hacked, site down, malware found',
	report: 'report, pdf, client report, report opened, email bounced',
	scheduledReport: 'monthly report',
	reportTemplate: 'template',
	senderEmail: 'sender',
	client: 'client, customer',
	stagingSite: 'staging, clone, staging expires',
	note: 'note',
	activityLog: 'audit',
	branding: 'white label, login page',
	teamMember: 'team',
	managedAccount: 'invitation',
	tag: 'tag',
	task: 'task, task failed, task finished',
	customWork: 'custom work',
	importantPage: 'important page',
	api: 'api request',
};

export const WANTED = Object.entries(SEARCHES).flatMap(([node, searches]) =>
	searches.split(', ').map((search): [search: string, node: string] => [search, node]),
);

/** Searches for other products. n8n has no lowest score: any name with these letters in this order would be shown. */
export const OTHERS = [
	'gmail, slack, notion, jira, google drive, dropbox, mailchimp, hubspot, stripe, mysql',
	'postgres, redis, ftp, webhook, telegram, airtable, shopify, zendesk, github, google sheets',
].flatMap((searches) => searches.split(', '));

export interface Pair {
	node: INodeTypeDescription;
	trigger: INodeTypeDescription;
}

/** The triggers that n8n lists as a part of the node of the same name. */
export function pairsOf(types: INodeTypeDescription[]): Pair[] {
	const byName = new Map(types.map((type) => [type.name, type]));
	return types.flatMap((trigger) => {
		const [, name] = /(.+)Trigger$/.exec(trigger.name) ?? [];
		const node = byName.get(name ?? '');
		return node ? [{ node, trigger }] : [];
	});
}

/** What n8n finds, best first. A pair has the name and the aliases of its node: those of its trigger count for nothing. */
export function found(search: string, types: INodeTypeDescription[]) {
	const parts = new Set(pairsOf(types).map(({ trigger }) => trigger));
	const entries = types
		.filter((type) => !parts.has(type))
		.map((properties) => ({ key: properties.name, properties }));
	return sublimeSearch(search, entries).map(({ item, score }) => ({ node: item.key, score }));
}
