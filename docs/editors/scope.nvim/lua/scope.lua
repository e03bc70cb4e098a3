--- Scope in Neovim: ask about the code, read the answer beside it, walk through its references.
--- Needs Neovim 0.11 and the program scope-lsp.
local M = {}

local panel = { buffer = nil, run = nil, text = "", document = nil, references = {} }

local function client()
  local found = vim.lsp.get_clients({ name = "scope" })[1]
  if not found then
    vim.notify("Scope is not running: open a file of the code base first.", vim.log.levels.ERROR)
  end
  return found
end

--- The window beside the code, made when it is first needed.
local function panel_window(buffer)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.w[window].scope_panel then
      vim.api.nvim_win_set_buf(window, buffer)
      return window
    end
  end
  local window = vim.api.nvim_open_win(buffer, false, { split = "right", win = 0 })
  vim.w[window].scope_panel = true
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  return window
end

local function scratch()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].filetype = "markdown"
  vim.bo[buffer].bufhidden = "wipe"
  return buffer
end

local function show_text()
  if panel.buffer and vim.api.nvim_buf_is_valid(panel.buffer) then
    vim.api.nvim_buf_set_lines(panel.buffer, 0, -1, false, vim.split(panel.text, "\n"))
  end
end

--- The answer's text while it comes, and what is being done.
local function on_event(_, message)
  if message.runId ~= panel.run then
    return
  end
  local event = message.event
  if event.type == "text" then
    panel.text = panel.text .. event.text
    show_text()
  elseif event.type == "phase" then
    vim.api.nvim_echo({ { "Scope: " .. event.phase .. " " .. (event.detail or "") } }, false, {})
  end
end

--- References as entries of the quickfix list, with their states.
local function entries(references)
  return vim.tbl_map(function(item)
    return {
      filename = vim.uri_to_fname(item.uri),
      lnum = item.newLineStart or item.lineStart,
      end_lnum = item.newLineEnd or item.lineEnd,
      type = (item.state == "ok" or item.state == "corrected") and "I" or "W",
      text = vim.trim(("%s [%s] %s"):format(item.symbol or "", item.state, item.description or "")),
    }
  end, references)
end

local function on_answer(error, result)
  if error then
    vim.notify("Scope: " .. error.message, vim.log.levels.ERROR)
    return
  end
  panel.references = result.references
  panel.document = result.documentUri and vim.uri_to_fname(result.documentUri)
  if not panel.document then
    panel.text = result.markdown
    show_text()
    return
  end
  local buffer = vim.fn.bufadd(panel.document)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buflisted = true
  vim.bo[buffer].filetype = "markdown" -- which starts the server for it
  vim.keymap.set("n", "<CR>", M.follow, { buffer = buffer, desc = "Open the cited lines" })
  panel_window(buffer)
  panel.buffer = buffer
end

--- Asks a question; `location` is what it is about: {uri, range} of the protocol.
function M.ask(question, location)
  local server = client()
  if not server then
    return
  end
  if not question or question == "" then
    vim.ui.input({ prompt = "Scope: " }, function(typed)
      if typed and typed ~= "" then
        M.ask(typed, location)
      end
    end)
    return
  end
  panel.run = ("nvim-%d"):format(vim.uv.hrtime())
  panel.text = "# " .. question
  panel.buffer = scratch()
  panel_window(panel.buffer)
  show_text()
  panel.text = ""
  server:request("scope/ask", { question = question, location = location, runId = panel.run }, on_answer)
end

--- Shows the newest answer again.
function M.panel()
  if panel.buffer and vim.api.nvim_buf_is_valid(panel.buffer) then
    vim.api.nvim_set_current_win(panel_window(panel.buffer))
  else
    vim.notify("Scope: Nothing was asked yet.")
  end
end

--- Opens what the link under the cursor cites, in the window of the code.
function M.follow()
  local server = client()
  if not server then
    return
  end
  local params = vim.lsp.util.make_position_params(0, server.offset_encoding)
  server:request("textDocument/definition", params, function(_, found)
    local place = found and (found[1] or (found.uri and found) or (found.targetUri and found))
    if not place then
      vim.notify("Scope: There is no reference under the cursor.")
      return
    end
    if vim.w.scope_panel then
      vim.cmd.wincmd("p")
    end
    vim.lsp.util.show_document(place, server.offset_encoding, { focus = true })
  end)
end

--- Fills the quickfix list with the references of the answer, or of the document in this window.
function M.references()
  local server = client()
  local document = vim.bo.filetype == "markdown" and vim.api.nvim_buf_get_name(0) or panel.document
  if not server or not document or document == "" then
    return
  end
  server:request("scope/verify", { documentUri = vim.uri_from_fname(document) }, function(error, result)
    if error then
      vim.notify("Scope: " .. error.message, vim.log.levels.ERROR)
      return
    end
    vim.fn.setqflist({}, " ", { title = "Scope references", items = entries(result.references) })
    vim.cmd("botright copen")
  end)
end

--- Fills the quickfix list with the uses of the symbol under the cursor.
function M.uses()
  local server = client()
  if not server then
    return
  end
  local params = { uri = vim.uri_from_bufnr(0), position = vim.lsp.util.make_position_params(0, server.offset_encoding).position }
  server:request("scope/uses", params, function(error, result)
    if error then
      vim.notify("Scope: " .. error.message, vim.log.levels.ERROR)
      return
    end
    local items = vim.lsp.util.locations_to_items(result.references, server.offset_encoding)
    local unsure = vim.lsp.util.locations_to_items(result.unverified, server.offset_encoding)
    for _, item in ipairs(unsure) do
      item.text = "[not decided] " .. item.text
      table.insert(items, item)
    end
    local all = result.complete and "these are all" or "there may be more"
    vim.fn.setqflist({}, " ", { title = ("Scope: uses of %s, %s"):format(result.symbol, all), items = items })
    vim.cmd("botright copen")
  end)
end

--- What the lines of a command's range are, for the server; nil without a range.
local function location_of(command)
  if command.range == 0 then
    return nil
  end
  return {
    uri = vim.uri_from_bufnr(0),
    range = {
      start = { line = command.line1 - 1, character = 0 },
      ["end"] = { line = command.line2, character = 0 },
    },
  }
end

--- Starts the server for every file and defines the commands; `options` go to vim.lsp.config.
function M.setup(options)
  local config = {
    cmd = { "scope-lsp" },
    root_markers = { ".git", "pyproject.toml", "package.json" },
    handlers = { ["scope/runEvent"] = on_event },
  }
  vim.lsp.config("scope", vim.tbl_deep_extend("force", config, options or {}))
  vim.lsp.enable("scope")
  local command = vim.api.nvim_create_user_command
  command("ScopeAsk", function(given)
    M.ask(given.args, location_of(given))
  end, { nargs = "*", range = true, desc = "Ask about this code base, or about the lines of the range" })
  command("ScopePanel", M.panel, { desc = "Show the newest answer" })
  command("ScopeReferences", M.references, { desc = "List the references of an answer" })
  command("ScopeUses", M.uses, { desc = "List who uses the symbol under the cursor" })
  command("ScopeCancel", function()
    local server = client()
    if server then
      server:exec_cmd({ title = "Cancel", command = "scope.cancel" })
    end
  end, { desc = "Stop the questions that are under way" })
end

return M
