"""The forms of providers' tokens, as data."""

from __future__ import annotations

# Detectors of detect-secrets by module and class, and what a text must hold to be worth a look.
DETECTORS = (
    ("aws", "AWSKeyDetector", ("AKIA", "ASIA", "A3T", "ABIA", "ACCA")),
    ("azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    ("gitlab_token", "GitLabTokenDetector", ("gl", "GR1348941")),
    ("mailchimp", "MailchimpDetector", ("-us",)),
    ("openai", "OpenAIDetector", ("T3BlbkFJ",)),
    ("pypi_token", "PypiTokenDetector", ("pypi-",)),
    ("sendgrid", "SendGridDetector", ("SG.",)),
    ("slack", "SlackDetector", ("xox", "hooks.slack.com")),
    ("square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    ("stripe", "StripeDetector", ("k_live_",)),
    ("telegram_token", "TelegramBotTokenDetector", (":",)),
)
# Forms that detect-secrets 1.5 does not know, or knows only in part, as providers describe them.
# The last group of a rule is the secret; a rule without groups is the secret as a whole.
PREFIXED = {
    "Anthropic key": (("sk-ant-",), r"\bsk-ant-[\w-]{16,}"),
    "OpenAI key": (("sk-",), r"\bsk-(?:proj-|svcacct-|admin-|or-v1-|test-)?[\w-]{20,}"),
    "GitHub token": (
        ("github_pat_", "gh"),
        r"(?<![A-Za-z0-9])(?:github_pat_\w{20,}|gh[opsur]_[A-Za-z0-9]{30,})",
    ),
    "Google key": (("AIza",), r"\bAIza[\w-]{35}"),
    "Google OAuth token": (
        ("ya29.", "GOCSPX-", "1//0"),
        r"\bya29\.[\w.-]{20,}|\bGOCSPX-[\w-]{20,}|\b1//0[\w-]{30,}",
    ),
    "Firebase key": ((":APA91b",), r"\b[\w-]{7,24}:APA91b[\w-]{100,}"),
    "Vault token": (("hv", "s."), r"\bhv[sbr]\.[\w-]{20,}|(?<![\w.])s\.(?=\w*\d)[A-Za-z0-9]{24}\b"),
    "Databricks token": (("dapi",), r"\bdapi[a-f0-9]{32}(?:-\d+)?"),
    "Grafana token": (
        ("gls", "glc_", "eyJrIjoi"),
        r"\bglsa_\w{32,}|\bglc_[A-Za-z0-9+/=]{20,}|\beyJrIjoi[\w+/=-]{30,}",
    ),
    "New Relic key": (
        ("NRAK-", "NRII-", "NRAL", "NRJS-"),
        r"\bNR(?:AK|II|JS)-[\w-]{18,}|\b[a-f0-9]{36}NRAL\b",
    ),
    "age key": (("AGE-SECRET-KEY-",), r"\bAGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    "Hugging Face token": (("hf_",), r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    "Groq key": (("gsk_",), r"\bgsk_[A-Za-z0-9]{30,}"),
    "xAI key": (("xai-",), r"\bxai-[A-Za-z0-9]{40,}"),
    "Perplexity key": (("pplx-",), r"\bpplx-[A-Za-z0-9]{30,}"),
    "npm token": (("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    "RubyGems key": (("rubygems_",), r"\brubygems_[a-f0-9]{40,}"),
    "DigitalOcean token": (("_v1_",), r"\bdo[opr]_v1_[a-f0-9]{64}"),
    "Fly token": (("fo1_", "fm1", "fm2"), r"\b(?:fo1|fm1[ar]|fm2)_[\w+/=-]{30,}"),
    "Shopify token": (("shp",), r"\bshp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}"),
    "Square token": (("sq0", "EAAA"), r"\bsq0(?:atp|csp|idp)-[\w-]{22,}|\bEAAA[\w-]{60}\b"),
    "Stripe key": (("sk_", "rk_", "whsec_"), r"\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,}"),
    "Slack token": (("xox", "xapp-"), r"\bxox[abceoprs]-[\w.-]{10,}|\bxapp-\d-[\w-]{20,}"),
    "webhook address": (
        ("hooks.slack.com/", "/api/webhooks/", "webhook.office.com/", "logic.azure.com"),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})"
        r"|/api/webhooks/\d{15,}/([\w-]{30,})"
        r"|webhook\.office\.com/webhookb2/[^/\s]+/IncomingWebhook/([\w/-]{32,})",
    ),
    "Discord token": (
        (".",),
        r"(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])",
    ),
    "Linear key": (("lin_",), r"\blin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}"),
    "Mailgun key": (("key-",), r"\bkey-[a-f0-9]{32}\b"),
    "Cloud provider key": (
        ("LTAI", "AKID", "ABSK"),
        r"\b(?:LTAI|AKID)[A-Za-z0-9]{12,32}\b|\bABSK[A-Za-z0-9+/=]{100,}",
    ),
    "Netlify token": (("nf",), r"\bnf[pcou]_[A-Za-z0-9]{36,}"),
    "PlanetScale password": (("pscale_",), r"\bpscale_(?:pw|tkn|oauth)_[\w.-]{30,}"),
    "Postman key": (("PMA",), r"\bPMA[KT]-[a-f0-9]{24}-[a-f0-9]{34}"),
    "Sentry token": (("sntry",), r"\bsntry[su]_[\w+/=-]{40,}"),
    "Doppler token": (("dp.",), r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,}"),
    "Pulumi token": (("pul-",), r"\bpul-[a-f0-9]{40}"),
    "Terraform token": ((".atlasv1.",), r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    "Airtable token": (("pat",), r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    "Notion token": (("ntn_", "secret_"), r"\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{40,}"),
    "Figma token": (("fig",), r"\bfig[do][hr]?_[\w-]{40,}"),
    "Replicate token": (("r8_",), r"\br8_[A-Za-z0-9]{30,}"),
    "Azure secret": (("Q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}"),
    "Atlassian token": (("AT",), r"\bAT(?:ATT3|CTT3|BB)[\w=-]{20,}"),
    "Dropbox token": (("sl.",), r"\bsl\.(?:u\.)?[\w-]{100,}"),
    "Facebook token": (("EAA",), r"\bEAA[A-Za-z0-9]{60,}"),
    "Docker token": (("dckr_",), r"\bdckr_[po]at_[\w-]{20,}"),
    "Artifactory key": (("AKC",), r"\bAKC[a-zA-Z0-9]{60,}"),
    "Supabase key": (("sbp_", "sb_secret_"), r"\bsbp_[a-f0-9]{40}|\bsb_secret_[\w-]{20,}"),
    "JSON web token": ((".eyJ",), r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    "encrypted JSON web token": (
        ("eyJ",),
        r"\beyJ[\w-]{20,}\.[\w-]*\.[\w-]{16,}\.[\w-]{20,}\.[\w-]{16,}",
    ),
    "Django secret key": (("django-insecure-",), r"django-insecure-[^\s\"'\\]{20,}"),
    "Bitcoin key": (
        ("5", "K", "L", "prv"),
        r"(?<![\w+/=])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w+/=])|\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}",
    ),
}
