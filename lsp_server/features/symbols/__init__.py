"""Who uses and who calls what stands under the cursor, or is cited there."""

from lsp_server.features.symbols.registration import announce, offer, register

__all__ = ["announce", "offer", "register"]
