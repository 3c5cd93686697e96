import type { Row } from '../../engine/store';

declare module '../../engine/settings' {
	interface Settings {
		/** How long an update of the account's branding goes on across its sites, in milliseconds. */
		settingUpdateMs: number;
	}
}

/** Part A 2.5 and 2.6. */
export const pluginBrandingTypes = ['default', 'custom', 'hidden'] as const;
export const wpLoginTypes = ['default', 'custom'] as const;

/** The id of a row of which the account has exactly one. */
export const onlyId = 'account';

/** Part A 2.5. */
export interface PluginBranding {
	type: (typeof pluginBrandingTypes)[number];
	name: string | null;
	description: string | null;
	author: { name: string | null; url: string | null };
}

export interface PluginBrandingRow extends Row, PluginBranding {}

/** Part A 2.6; the type follows from the other fields. */
export interface WpLoginRow extends Row {
	logo_file: string | null;
	label: string | null;
	error_message: string | null;
	tooltip: string | null;
	internal: { sender_email_id: string | null };
}

declare module '../../engine/store' {
	interface Collections {
		pluginBrandings: Collection<PluginBrandingRow>;
		wpLogins: Collection<WpLoginRow>;
	}
}
